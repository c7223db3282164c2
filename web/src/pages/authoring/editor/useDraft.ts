import { useCallback, useEffect, useState } from "react";

import { keepDraft, keptDraft } from "../doc/drafts";
import { isSame, type Doc } from "../doc/json";

export interface DraftControl {
  definition: Doc;
  /** It differs from what is published. */
  isChanged: boolean;
  /** The version that it began with, where a newer one was published meanwhile. */
  outdated: string | undefined;
  change(definition: Doc): void;
  discard(): void;
  /** What is written has become what is published. */
  settle(definition: Doc): void;
}

/** What is being written in one slot: a tool's name, or nothing for a new tool. `initial` is what there is without it. */
export function useDraft(slot: string, initial: Doc, base: string | undefined): DraftControl {
  const [kept] = useState(() => keptDraft(slot));
  const [told, setTold] = useState(initial);
  const [published, setPublished] = useState(initial);
  const [definition, setDefinition] = useState<Doc>(kept?.definition ?? initial);
  const [began, setBegan] = useState(kept ? kept.base : base);
  const isChanged = !isSame(definition, published);
  // Something was published, here or elsewhere. What nobody is changing follows it; a draft stays, and is told to be outdated.
  if (!isSame(told, initial)) {
    setTold(initial);
    setPublished(initial);
    if (!isChanged) {
      setDefinition(initial);
      setBegan(base);
    }
  }
  useEffect(() => keepDraft(slot, isChanged ? { definition, base: began } : undefined), [slot, definition, began, isChanged]);
  const discard = useCallback(() => {
    setDefinition(published);
    setBegan(base);
  }, [published, base]);
  const settle = useCallback(
    (next: Doc) => {
      setPublished(next);
      setDefinition(next);
      keepDraft(slot, undefined);
    },
    [slot],
  );
  return { definition, isChanged, outdated: isChanged && began !== base ? began : undefined, change: setDefinition, discard, settle };
}
