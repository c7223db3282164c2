import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from "@codemirror/language";

/** The library's colours are made for a white page; these are the page's own, which can be read in both themes. */
const COLOURS: Record<string, string> = {
  "#404740": "var(--muted-foreground)",
  "#940": "var(--muted-foreground)",
  "#708": "var(--link)",
  "#30a": "var(--link)",
  "#00f": "var(--info)",
  "#00c": "var(--info)",
  "#219": "var(--info)",
  "#256": "var(--info)",
  "#164": "var(--good)",
  "#085": "var(--good)",
  "#167": "var(--good)",
  "#a11": "var(--warn)",
  "#e40": "var(--warn)",
  "#f00": "var(--bad)",
};

const named = (colour: unknown) => (typeof colour === "string" ? (COLOURS[colour] ?? "var(--foreground)") : undefined);

export const colours = syntaxHighlighting(HighlightStyle.define(defaultHighlightStyle.specs.map((spec) => ("color" in spec ? { ...spec, color: named(spec["color"]) } : spec))));
