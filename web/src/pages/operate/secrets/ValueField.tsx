import { Input, Textarea } from "@/ui/input";
import { Field } from "@/ui/label";

import { Option } from "../shared/Option";
import { useT } from "./messages";

interface ValueFieldProps {
  value: string;
  onChange(value: string): void;
  hasLines: boolean;
  onHasLines(hasLines: boolean): void;
}

/** Hidden while it is typed, unless it has several lines: a browser hides only one. */
export function ValueField({ value, onChange, hasLines, onHasLines }: ValueFieldProps) {
  const t = useT();
  const common = { id: "secret-value", required: true, value, "aria-describedby": "secret-value-help", autoComplete: "off", spellCheck: false, "data-1p-ignore": "" };
  return (
    <>
      <Field id="secret-value" label={t("form.value")} help={t("form.value.help")}>
        {hasLines ? (
          <Textarea {...common} className="font-mono" rows={5} onChange={(event) => onChange(event.target.value)} />
        ) : (
          <Input {...common} type="password" autoComplete="new-password" onChange={(event) => onChange(event.target.value)} />
        )}
      </Field>
      <Option label={t("form.lines")} help={t("form.lines.help")} checked={hasLines} onChange={onHasLines} />
    </>
  );
}
