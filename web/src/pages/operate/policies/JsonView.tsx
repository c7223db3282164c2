import { useState } from "react";

import { CodeEditor } from "@/parts/form/editor/CodeEditor";

import { asDocument, settled, spelled, type PolicyDocument } from "./document";
import { useT } from "./messages";
import type { Draft } from "./useDraft";

const pretty = (document: PolicyDocument) => JSON.stringify(document, null, 2);

/** The whole document as text: for those who keep it in a file. */
export function JsonView({ draft }: { draft: Draft }) {
  const t = useT();
  const [text, setText] = useState(() => pretty(draft.document));
  const [known, setKnown] = useState(() => spelled(draft.document));
  const [reason, setReason] = useState<string>();
  // Changed by another hand (a template, “discard”): the text follows.
  if (spelled(draft.document) !== known) {
    setKnown(spelled(draft.document));
    setText(pretty(draft.document));
    setReason(undefined);
  }
  const change = (next: string) => {
    setText(next);
    try {
      const value: unknown = JSON.parse(next);
      if (typeof value !== "object" || value === null || !Array.isArray((value as { rules?: unknown }).rules)) {
        setReason(t("json.noRules"));
        return;
      }
      const document = settled(asDocument(value));
      setKnown(spelled(document));
      setReason(undefined);
      draft.setDocument(document);
    } catch (error) {
      setReason(t("json.unreadable", { reason: error instanceof Error ? error.message : String(error) }));
    }
  };
  return (
    <div className="grid gap-2">
      <CodeEditor id="policy-json" label={t("json.label")} language="json" value={text} onChange={change} isInvalid={reason !== undefined} />
      {reason !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {reason}
        </p>
      )}
    </div>
  );
}
