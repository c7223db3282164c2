// Numbers in boxes for text. An empty box says nothing.

export function numberText(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}

/** What was typed, with a decimal point or a comma; not a number (`NaN`) where it is none. */
export function typedNumber(text: string): number | undefined {
  const typed = text.trim().replace(",", ".");
  return typed === "" ? undefined : Number(typed);
}
