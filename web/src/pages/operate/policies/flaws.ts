// The server tells all that is wrong with a policy in one sentence; here it goes to the place that each part is about.

export interface Flaw {
  /** `document`, or a path such as `rules[3].when`. */
  place: string;
  /** The rule that it is in, by its number. */
  rule: number | undefined;
  message: string;
}

const BEGINNING = /(?:^|; )(?=(?:rule `[^`]*`, )?(?:rules\[\d+\][\w.[\]]*|document): )/;
const ONE = /^(?:rule `[^`]*`, )?(rules\[(\d+)\][\w.[\]]*|document): ([\s\S]*)$/;

export function flawsIn(detail: string): Flaw[] {
  return detail
    .split(BEGINNING)
    .filter(Boolean)
    .map((text) => {
      const [, place, rule, message] = ONE.exec(text) ?? [];
      if (place === undefined || message === undefined) return { place: "document", rule: undefined, message: text };
      return { place, rule: rule === undefined ? undefined : Number(rule), message };
    });
}

/** What is wrong at one place, in one text. */
export function flawAt(flaws: Flaw[], place: string): string | undefined {
  const found = flaws.filter((flaw) => flaw.place === place).map(({ message }) => message);
  return found.length === 0 ? undefined : found.join(" ");
}
