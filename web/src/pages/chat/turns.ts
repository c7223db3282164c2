import type { Message } from "./queries";
import { isOver } from "./run/state";

/** What was said, and the answer to it: one run. */
export interface Exchange {
  runId: string;
  question: Message | undefined;
  answer: Message | undefined;
}

export function exchangesOf(messages: Message[]): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const message of messages) {
    const last = exchanges.at(-1);
    const isNew = last === undefined || last.runId !== message.run_id;
    const exchange: Exchange = isNew ? { runId: message.run_id, question: undefined, answer: undefined } : last;
    if (isNew) exchanges.push(exchange);
    if (message.role === "user") exchange.question = message;
    else exchange.answer = message;
  }
  return exchanges;
}

/** The run that answers now. A thread has one at a time. */
export function activeRunOf(messages: Message[] | undefined): string | undefined {
  const last = messages?.at(-1);
  return last !== undefined && last.role === "assistant" && !isOver(last.status) ? last.run_id : undefined;
}

/** Whether the run of an answer can be read to its end: it is over, and it began. One that never began has no events to wait for. */
export function isReadable(answer: Message | undefined): boolean {
  return isOver(answer?.status) && typeof answer?.completed_at === "string";
}

const MAX_TITLE_CHARS = 60;

/** A thread is named after what it begins with, until somebody names it. */
export function titleOf(message: string): string {
  const line = message.trim().split("\n", 1)[0]?.replace(/\s+/g, " ") ?? "";
  // The server takes no control characters in a title.
  const plain = [...line].filter((letter) => letter >= " " && letter !== "\u007f").join("");
  return plain.length > MAX_TITLE_CHARS ? `${plain.slice(0, MAX_TITLE_CHARS).trimEnd()}…` : plain;
}
