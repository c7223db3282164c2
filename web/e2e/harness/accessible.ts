import { expect, type Page } from "@playwright/test";
import type { AxeResults, ElementContext, RunOptions } from "axe-core";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What these find is never grave, and to look for it takes a quarter of the time. */
const NEVER_GRAVE = [
  ...["region", "landmark-one-main", "landmark-unique", "landmark-complementary-is-top-level", "landmark-main-is-top-level"],
  ...["landmark-banner-is-top-level", "landmark-contentinfo-is-top-level", "landmark-no-duplicate-banner", "landmark-no-duplicate-main"],
  ...["landmark-no-duplicate-contentinfo", "page-has-heading-one", "heading-order", "empty-heading", "empty-table-header", "skip-link"],
  ...["presentation-role-conflict", "aria-allowed-role", "form-field-multiple-labels", "image-redundant-alt", "table-duplicate-name"],
];

/** What fades in has not its colours yet, and would be read as too pale. What never ends, such as a spinner, is not waited for. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const moving = document.getAnimations().filter(({ playState, effect }) => playState === "running" && effect?.getComputedTiming().endTime !== Infinity);
    await Promise.all(moving.map(({ finished }) => finished.catch(() => undefined)));
  });
}

/** Of what this worker's stories have shown, the keys of all that axe found nothing grave in. */
const passed = new Set<string>();

interface Judged {
  violations: AxeResults["violations"];
  looked: string[];
}

/**
 * Looks at what was not looked at before, by its key: an element with all that is in it and its place, as far as axe judges by them, at one
 * width. Text counts as being there; two rows of a table are alike, and the navigation is the same on every page.
 */
async function judge({ known, options }: { known: string[]; options: RunOptions }): Promise<Judged> {
  const { axe } = window as unknown as { axe: { run: (context: ElementContext, options: RunOptions) => Promise<AxeResults> } };
  const before = new Set(known);
  const exists = (ids: string) => ids.split(/\s+/).every((id) => id === "" || document.getElementById(id) !== null);
  const REFERS = new Set(["for", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "aria-activedescendant"]);
  const SAYS = new Set(["aria-label", "aria-valuetext", "aria-valuenow", "placeholder", "title", "alt", "value", "id", "name", "href", "src", "d", "datetime"]);
  const described = ({ name, value }: Attr): string => {
    if (REFERS.has(name)) return `${name}=${exists(value) ? "found" : "missing"}`;
    if (SAYS.has(name)) return `${name}${value.trim() === "" ? " empty" : ""}`;
    // Rows of a long list differ in where they stand.
    return `${name}=${name === "style" ? value.replaceAll(/-?[\d.]+(px|%)/g, "…") : value}`;
  };
  const open = (element: Element): string => {
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== "");
    return `<${element.localName} ${[...element.attributes].map(described).sort().join(" ")}${hasText ? " text" : ""}>`;
  };
  // 53 bits: as many keys as there are pages never meet in it.
  const hash = (text: string): string => {
    let [high, low] = [0xdeadbeef, 0x41c6ce57];
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      high = Math.imul(high ^ code, 2654435761);
      low = Math.imul(low ^ code, 1597334677);
    }
    return ((high >>> 0) * 0x100000 + (low >>> 12)).toString(36);
  };
  const inside = new Map<Element, string>();
  const whole = (element: Element): string => {
    const key = hash(open(element) + [...element.children].map(whole).join());
    inside.set(element, key);
    return key;
  };
  whole(document.documentElement);

  const looked: string[] = [];
  const exclude: Element[] = [];
  const walk = (element: Element, place: string): void => {
    const key = hash(`${place} ${inside.get(element) ?? ""}`);
    if (before.has(key)) return void exclude.push(element);
    before.add(key);
    looked.push(key);
    const within = hash(place + open(element));
    for (const child of element.children) walk(child, within);
  };
  walk(document.documentElement, String(window.innerWidth));
  if (looked.length === 0) return { violations: [], looked };
  const { violations } = await axe.run({ include: [document.documentElement], exclude }, options);
  return { violations, looked };
}

/** No serious and no critical finding of axe on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  await settled(page);
  // It is large: a document that has it keeps it.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const options: RunOptions = { runOnly: RULES, resultTypes: ["violations"], rules: Object.fromEntries(NEVER_GRAVE.map((id) => [id, { enabled: false }])) };
  const { violations, looked } = await page.evaluate(judge, { known: [...passed], options });
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const told = grave.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `    ${html}\n      ${failureSummary ?? ""}`).join("\n")}`);
  expect(told, "axe found").toEqual([]);
  for (const key of looked) passed.add(key);
}

/** Tables may scroll inside themselves; the page does not move sideways, on a phone least of all. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(beyond, "pixels that the page is wider than its window").toBeLessThanOrEqual(0);
}
