import { expect, test } from "vitest";

import type { RunEvent } from "../types";
import { toldOf } from "./told";

const event = (id: number, type: string, data: Record<string, unknown>): RunEvent => ({ id, type, run_id: "run_1", data, created_at: "2026-03-02T09:00:00Z" });

test("pieces of one turn's text are one line; those of another turn are not", () => {
  const lines = toldOf([
    event(1, "run.started", { agent: "clerk", message: "hello" }),
    event(2, "text.delta", { iteration: 1, text: "Good " }),
    event(3, "text.delta", { iteration: 1, text: "day" }),
    event(4, "text.delta", { iteration: 2, text: "Bye" }),
    event(5, "tool.failed", { name: "search", error: { message: "no network" } }),
  ]);
  expect(lines.map(({ text, count }) => [text, count])).toEqual([["hello", 1], ["Good day", 2], ["Bye", 1], ["no network", 1]]);
});
