import { expect, test } from "vitest";

import { answerForm, answersTo, isAnswerable, urlOf, type Questions } from "./answers";

const OUTPUT = { type: "object", properties: { approved: { type: "boolean" } }, required: ["approved"] };

test("who completes a task fills in what the waiting tool answers with", () => {
  expect(answerForm({ waits: true, answers: "result" }, OUTPUT, "Note").schema).toBe(OUTPUT);
  const wrapped = { type: "object", properties: { task_id: {}, status: {}, result: OUTPUT } };
  expect(answerForm({ waits: true, answers: "task" }, wrapped, "Note").schema).toBe(OUTPUT);
});

test("where nobody waits, a note is enough, and nothing is something too", () => {
  const { schema, toResult } = answerForm({ waits: false, answers: "task" }, OUTPUT, "Note");
  expect(Object.keys(schema.properties as object)).toEqual(["note"]);
  expect([toResult({}), toResult({ note: "done" })]).toEqual([undefined, { note: "done" }]);
});

const questions: Questions = {
  seat: { kind: "elicitation", params: { message: "Which seat?", requestedSchema: { type: "object", properties: { row: { type: "integer" } } } } },
  login: { kind: "elicitation_url", params: { message: "Sign in", url: "https://shop.example.com/login" } },
};

test("each question is answered by its name, accepted or declined", () => {
  const { schema, toResult } = answerForm({ waits: true, asks: questions }, undefined, "Note");
  expect(schema).toMatchObject({ properties: { seat: { title: "Which seat?", properties: { row: { type: "integer" } } } }, required: ["seat"] });
  expect(toResult({ seat: { row: 3 } })).toEqual({ seat: { action: "accept", content: { row: 3 } }, login: { action: "accept" } });
  expect(answersTo(questions, "decline")).toEqual({ seat: { action: "decline" }, login: { action: "decline" } });
});

test("what only a program can answer has no form, and no script hides in an address", () => {
  expect([isAnswerable(questions), isAnswerable({ say: { kind: "sampling", params: {} } })]).toEqual([true, false]);
  expect([urlOf({ url: "javascript:alert(1)" }), urlOf({ url: "https://a.example" })]).toEqual([undefined, "https://a.example"]);
});
