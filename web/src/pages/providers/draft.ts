// A provider as its form has it: texts. Models and their prices are rows, as a price belongs to a model.
import type { Schemas } from "@/api/client";
import { numberText, typedNumber } from "@/parts/form/numbers";

import type { Provider, ProviderParams } from "./queries";

export const APIS = ["openai_chat", "openai_responses", "openai_compatible", "anthropic", "gemini"] as const satisfies readonly Schemas["ModelApi"][];
export const PRICES = ["input", "output", "cached_input", "cache_write"] as const;

export interface ModelRow {
  name: string;
  prices: Record<(typeof PRICES)[number], string>;
}

export interface Draft {
  name: string;
  api: Schemas["ModelApi"];
  baseUrl: string;
  secret: string;
  timeoutS: string;
  idleTimeoutS: string;
  retries: string;
  models: ModelRow[];
}

const seconds = (ms: number | null | undefined) => numberText(ms == null ? ms : ms / 1_000);
const milliseconds = (text: string) => {
  const typed = typedNumber(text);
  return typed === undefined ? null : typed * 1_000;
};
const number = (text: string) => typedNumber(text) ?? null;

export const emptyRow = (name = ""): ModelRow => ({ name, prices: { input: "", output: "", cached_input: "", cache_write: "" } });

export function draftOf(provider: Provider | undefined): Draft {
  const prices = provider?.prices ?? {};
  // A model may have a price without being listed, and be listed without a price.
  const names = [...new Set([...(provider?.models ?? []), ...Object.keys(prices)])];
  const row = (name: string): ModelRow => {
    const price = prices[name];
    return { name, prices: { input: numberText(price?.input), output: numberText(price?.output), cached_input: numberText(price?.cached_input), cache_write: numberText(price?.cache_write) } };
  };
  return {
    name: provider?.name ?? "",
    api: provider?.api ?? "openai_chat",
    baseUrl: provider?.base_url ?? "",
    secret: provider?.api_key_secret ?? "",
    timeoutS: seconds(provider?.timeout_ms),
    idleTimeoutS: seconds(provider?.idle_timeout_ms),
    retries: numberText(provider?.max_retries),
    models: names.length === 0 ? [emptyRow()] : names.map(row),
  };
}

export function paramsOf(draft: Draft): ProviderParams {
  const rows = draft.models.map((row) => ({ ...row, name: row.name.trim() })).filter(({ name }) => name !== "");
  const priced = rows.filter(({ prices }) => prices.input.trim() !== "" || prices.output.trim() !== "");
  const price = ({ prices }: ModelRow): Schemas["ModelPrice"] => ({
    input: number(prices.input) ?? 0,
    output: number(prices.output) ?? 0,
    cached_input: number(prices.cached_input),
    cache_write: number(prices.cache_write),
  });
  const or = (value: string) => (value.trim() === "" ? null : value.trim());
  return {
    name: draft.name.trim(),
    api: draft.api,
    base_url: or(draft.baseUrl),
    api_key_secret: or(draft.secret),
    timeout_ms: milliseconds(draft.timeoutS),
    idle_timeout_ms: milliseconds(draft.idleTimeoutS),
    max_retries: number(draft.retries),
    models: rows.map(({ name }) => name),
    prices: Object.fromEntries(priced.map((row) => [row.name, price(row)])),
  };
}

/** What it was, to put it back. */
export function specOf({ name, api, base_url, api_key_secret, timeout_ms, idle_timeout_ms, max_retries, models, prices }: Provider): ProviderParams {
  return { name, api, base_url, api_key_secret, timeout_ms, idle_timeout_ms, max_retries, models: models ?? [], prices: prices ?? {} };
}
