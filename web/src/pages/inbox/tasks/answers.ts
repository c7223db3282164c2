// The form of a task's end: what the tool that waits answers with, or the questions that it asks. The server checks the result.
import type { Schemas } from "@/api/client";
import { isObject } from "@/parts/json/values";

import type { Task } from "../queries";

export type Questions = NonNullable<Schemas["BTreeMap"]>;
type Json = Record<string, unknown>;

export interface AnswerForm {
  schema: Json;
  /** From what the form has to what is sent; nothing where nothing was written. */
  toResult(input: Json): Json | undefined;
}

/** Whether each question is a form or a page to visit; the rest is for programs, and written as JSON. */
export function isAnswerable(questions: Questions): boolean {
  return Object.values(questions).every(({ kind }) => kind === "elicitation" || kind === "elicitation_url");
}

export function answerForm(task: Pick<Task, "asks" | "waits" | "answers">, outputSchema: unknown, note: string): AnswerForm {
  if (task.asks) return questionsForm(task.asks);
  const declared = task.answers === "result" ? outputSchema : isObject(outputSchema) && isObject(outputSchema.properties) ? outputSchema.properties.result : undefined;
  if (task.waits && isObject(declared)) return { schema: declared, toResult: (input) => input };
  const free = { type: "object", properties: { note: { type: "string", title: note, "x-field": { display: "textarea" } } } };
  return { schema: free, toResult: (input) => (Object.keys(input).length === 0 ? undefined : input) };
}

function questionsForm(questions: Questions): AnswerForm {
  const forms = Object.entries(questions).filter(([, { kind }]) => kind === "elicitation");
  const properties = forms.map(([name, { params }]) => [name, { ...(isObject(params?.requestedSchema) ? params.requestedSchema : { type: "object" }), title: messageOf(params) ?? name }]);
  return {
    schema: { type: "object", properties: Object.fromEntries(properties), required: forms.map(([name]) => name) },
    toResult: (input) => answersTo(questions, "accept", input),
  };
}

/** One answer for each question's name. */
export function answersTo(questions: Questions, action: "accept" | "decline", input: Json = {}): Json {
  const answers = Object.entries(questions).map(([name, { kind }]) => [name, action === "accept" && kind === "elicitation" ? { action, content: input[name] ?? {} } : { action }]);
  return Object.fromEntries(answers);
}

export function messageOf(params: unknown): string | undefined {
  return isObject(params) && typeof params.message === "string" ? params.message : undefined;
}

/** A page outside that the tool wants visited; only addresses that a browser may open. */
export function urlOf(params: unknown): string | undefined {
  const url = isObject(params) && typeof params.url === "string" ? params.url : undefined;
  return url !== undefined && /^https?:\/\//.test(url) ? url : undefined;
}
