// A provider as its form has it: texts. Models and their prices are rows, as a price belongs to a model.
import type { Schemas } from "@/api/client";

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

const text = (value: number | null | undefined, factor = 1) => (value === null || value === undefined ? "" : String(value * factor));
const number = (value: string, factor = 1) => (value.trim() === "" ? null : Number(value.trim().replace(",", ".")) * factor);

export const emptyRow = (name = ""): ModelRow => ({ name, prices: { input: "", output: "", cached_input: "", cache_write: "" } });

export function draftOf(provider: Provider | undefined): Draft {
  const prices = provider?.prices ?? {};
  // A model may have a price without being listed, and be listed without a price.
  const names = [...new Set([...(provider?.models ?? []), ...Object.keys(prices)])];
  const row = (name: string): ModelRow => {
    const price = prices[name];
    return { name, prices: { input: text(price?.input), output: text(price?.output), cached_input: text(price?.cached_input), cache_write: text(price?.cache_write) } };
  };
  return {
    name: provider?.name ?? "",
    api: provider?.api ?? "openai_chat",
    baseUrl: provider?.base_url ?? "",
    secret: provider?.api_key_secret ?? "",
    timeoutS: text(provider?.timeout_ms, 1 / 1_000),
    idleTimeoutS: text(provider?.idle_timeout_ms, 1 / 1_000),
    retries: text(provider?.max_retries),
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
    timeout_ms: number(draft.timeoutS, 1_000),
    idle_timeout_ms: number(draft.idleTimeoutS, 1_000),
    max_retries: number(draft.retries),
    models: rows.map(({ name }) => name),
    prices: Object.fromEntries(priced.map((row) => [row.name, price(row)])),
  };
}

/** What it was, to put it back. */
export function specOf({ name, api, base_url, api_key_secret, timeout_ms, idle_timeout_ms, max_retries, models, prices }: Provider): ProviderParams {
  return { name, api, base_url, api_key_secret, timeout_ms, idle_timeout_ms, max_retries, models: models ?? [], prices: prices ?? {} };
}
