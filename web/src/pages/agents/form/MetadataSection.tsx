import { CodeEditor } from "@/parts/form/editor/CodeEditor";

import { useT } from "../messages";
import { useForm } from "./form";
import { Section } from "./Section";

/** Notes of other programs; Toolgate itself reads none of them. */
export function MetadataSection() {
  const t = useT();
  const { draft, change, wrong, refused, isReadOnly } = useForm();
  const error = wrong.metadata !== undefined ? t("wrong.json") : refused.metadata;
  return (
    <Section title={t("metadata")} text={t("metadata.text")}>
      <div className="grid gap-1.5">
        <CodeEditor id="agent-metadata" label={t("metadata")} language="json" value={draft.metadata} readOnly={isReadOnly} isInvalid={error !== undefined} onChange={(metadata) => change({ metadata })} />
        {error !== undefined && (
          <p role="alert" className="text-xs text-bad">
            {error}
          </p>
        )}
      </div>
    </Section>
  );
}
