import { useRef, useState } from "react";

import { explain } from "@/app/notify";

import { wrongIn, type Draft, type Wrong } from "./draft";
import type { FormState } from "./form";
import { fieldOf } from "./refusal";

const FOCUSABLE = "input:not([readonly]),textarea,select,button,[contenteditable=true]";

/** The draft, what is wrong with it, and where the focus goes when it cannot be saved. */
export function useAgentForm(initial: Draft) {
  const form = useRef<HTMLFormElement>(null);
  // What it is compared with: as it was when it was opened or saved, whatever others do meanwhile.
  const [base, setBase] = useState(initial);
  const [draft, setDraft] = useState(initial);
  const [wrong, setWrong] = useState<Wrong>({});
  const [refused, setRefused] = useState<FormState["refused"]>({});
  const [refusal, setRefusal] = useState<unknown>();

  const show = (field: keyof Draft | undefined) => {
    if (field === undefined) return;
    // The complaint is drawn first, so that a screen reader finds it with the field.
    requestAnimationFrame(() => {
      const found = form.current?.querySelector<HTMLElement>(`#agent-${field}`);
      (found?.matches(FOCUSABLE) ? found : found?.querySelector<HTMLElement>(FOCUSABLE))?.focus();
    });
  };
  return {
    form,
    base,
    draft,
    wrong,
    refused,
    /** What the server said against all of it. */
    refusal,
    change(next: Partial<Draft>) {
      setDraft((old) => ({ ...old, ...next }));
      const touched = Object.keys(next);
      const untouched = <T extends object>(map: T) => Object.fromEntries(Object.entries(map).filter(([key]) => !touched.includes(key))) as T;
      setWrong(untouched);
      setRefused(untouched);
    },
    /** Whether it can be sent. */
    check(): boolean {
      const found = wrongIn(draft);
      setWrong(found);
      setRefused({});
      setRefusal(undefined);
      const [first] = Object.keys(found) as (keyof Draft)[];
      show(first);
      return first === undefined;
    },
    refuse(thrown: unknown) {
      const field = fieldOf(thrown);
      if (field === undefined) {
        setRefusal(thrown);
        return;
      }
      const { title, detail } = explain(thrown);
      setRefused({ [field]: detail || title });
      show(field);
    },
    reset(next: Draft) {
      setBase(next);
      setDraft(next);
      setWrong({});
      setRefused({});
      setRefusal(undefined);
    },
  };
}
