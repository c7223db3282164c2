import { createContext, use } from "react";

import type { Draft, Wrong } from "./draft";

export interface FormState {
  draft: Draft;
  change(next: Partial<Draft>): void;
  /** What we found before it was sent. */
  wrong: Wrong;
  /** What the server said against single fields. */
  refused: Partial<Record<keyof Draft, string>>;
  isReadOnly: boolean;
  isNew: boolean;
}

export const FormContext = createContext<FormState | undefined>(undefined);

export function useForm(): FormState {
  const form = use(FormContext);
  if (!form) throw new Error("a field outside of its form");
  return form;
}
