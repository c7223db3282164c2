import { expect, test } from "vitest";

import { draftOf, emptyRow, paramsOf, specOf } from "./draft";

const PROVIDER = {
  id: "prv_1",
  name: "house",
  api: "anthropic" as const,
  base_url: null,
  api_key_secret: "MODEL_KEY",
  timeout_ms: 90_000,
  idle_timeout_ms: null,
  max_retries: 2,
  models: ["large", "small"],
  prices: { large: { input: 3, output: 15, cached_input: 0.3, cache_write: null } },
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
};

test("a provider goes through its form unchanged", () => {
  expect(paramsOf(draftOf(PROVIDER))).toEqual(specOf(PROVIDER));
});

test("a row without a name is no model, and a model without a price has none", () => {
  const draft = { ...draftOf(undefined), name: " mine ", models: [emptyRow("a "), emptyRow(), { ...emptyRow("b"), prices: { ...emptyRow().prices, output: "1,5" } }] };
  expect(paramsOf(draft)).toMatchObject({ name: "mine", base_url: null, models: ["a", "b"], prices: { b: { input: 0, output: 1.5, cached_input: null, cache_write: null } } });
});
