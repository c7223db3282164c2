import { expect, it } from "vitest";

import type { Message } from "./queries";
import { activeRunOf, exchangesOf, titleOf } from "./turns";

const message = (run_id: string, role: Message["role"], status?: Message["status"]): Message => ({
  id: `msg_${run_id}_${role}`,
  thread_id: "thr_1",
  seq: 1,
  role,
  content: role,
  run_id,
  status,
  created_at: "2026-01-01T00:00:00Z",
});

it("pairs what was said with its answer, and finds the run that goes on", () => {
  const messages = [message("run_1", "user"), message("run_1", "assistant", "completed"), message("run_2", "user"), message("run_2", "assistant", "running")];
  expect(exchangesOf(messages).map(({ runId, question, answer }) => [runId, question?.role, answer?.status])).toEqual([
    ["run_1", "user", "completed"],
    ["run_2", "user", "running"],
  ]);
  expect(activeRunOf(messages)).toBe("run_2");
  expect(activeRunOf(messages.slice(0, 2))).toBeUndefined();
});

it("names a thread after the first line, without what a title may not have", () => {
  expect(titleOf("  Compare\tthe regions\nand more")).toBe("Compare the regions");
  expect(titleOf("x".repeat(100))).toHaveLength(61);
});
