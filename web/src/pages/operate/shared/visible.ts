/** Characters that cannot be seen, shown: a text must not hide something from whoever agrees to it. */
export function visible(text: string): string {
  return text.replace(/\p{Cf}/gu, (hidden) => `⟨U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}
