// Toasts: what happened, and how to undo it. They are announced, and stay long enough to be read.
import { toast } from "sonner";

import { asProblem } from "@/api/problem";

import { language, translator } from "./i18n";
import { messages } from "./messages";

const t = (key: "undo" | "unreachable.title" | "unreachable.hint" | "forbidden" | "crash.title") => translator(messages, language.get())(key);

export interface Undo {
  /** Where the API can take it back. */
  undo?: () => void;
  detail?: string;
}

export const notify = {
  done(message: string, { undo, detail }: Undo = {}): void {
    const action = undo && { label: t("undo"), onClick: undo };
    toast.success(message, { description: detail, action, duration: undo ? 10_000 : 5_000 });
  },
  info(message: string, { detail }: Pick<Undo, "detail"> = {}): void {
    toast.message(message, { description: detail });
  },
  failed(thrown: unknown, message?: string): void {
    const { title, detail } = explain(thrown);
    toast.error(message ?? title, { description: message === undefined ? detail : `${title}. ${detail}`, duration: 10_000 });
  },
};

/** The words for a failure: the server's own where there are any. */
export function explain(thrown: unknown): { title: string; detail: string } {
  const problem = asProblem(thrown);
  if (problem.status === 0) return { title: t("unreachable.title"), detail: t("unreachable.hint") };
  const detail = [problem.detail, problem.hint].filter(Boolean).join(" ");
  if (problem.isForbidden) return { title: t("forbidden"), detail };
  return { title: problem.title || (problem.status > 0 ? problem.code : t("crash.title")), detail };
}
