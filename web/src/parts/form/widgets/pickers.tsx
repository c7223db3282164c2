import { useQuery } from "@tanstack/react-query";
import type { WidgetProps } from "@rjsf/utils";

import { everyAgentQuery, everyToolQuery, living, secretsQuery } from "@/api/every";

import { useT } from "../messages";
import { CONTROL } from "../styles";
import { aria } from "./aria";
import { TagsWidget } from "./TagsWidget";

interface Choice {
  value: string;
  label: string;
}

/** The most that a picker lists; who has more types the name. */
const MAX_CHOICES = 200;

/** A box with suggestions: whoever may not list the things can still name one. */
function Picker({ props, choices, hasFailed }: { props: WidgetProps; choices: Choice[]; hasFailed: boolean }) {
  const { id, value, disabled, readonly, options, onChange, multiple, schema } = props;
  const t = useT();
  const chosen = choices.find((choice) => choice.value === value);
  const list = `${id}__choices`;
  const suggestions = (
    <datalist id={list}>
      {choices.slice(0, MAX_CHOICES).map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </datalist>
  );
  if (multiple || schema.type === "array") {
    return (
      <>
        <TagsWidget {...props} list={list} />
        {suggestions}
      </>
    );
  }
  return (
    <>
      <input
        id={id}
        name={id}
        className={CONTROL}
        list={list}
        autoComplete="off"
        disabled={disabled}
        readOnly={readonly}
        value={typeof value === "string" ? value : ""}
        onChange={(event) => onChange(event.target.value === "" ? options.emptyValue : event.target.value)}
        {...aria(props)}
      />
      {suggestions}
      {chosen && chosen.label !== chosen.value && <p className="text-xs text-muted-foreground">{chosen.label}</p>}
      {hasFailed && <p className="text-xs text-muted-foreground">{t("pickFailed")}</p>}
    </>
  );
}

export function AgentPicker(props: WidgetProps) {
  const { data: agents = [], isError } = useQuery({ ...everyAgentQuery, select: living, retry: false });
  return <Picker props={props} choices={agents.map(({ id, display_name }) => ({ value: id, label: display_name }))} hasFailed={isError} />;
}

export function ToolPicker(props: WidgetProps) {
  const { data: tools = [], isError } = useQuery({ ...everyToolQuery, retry: false });
  return <Picker props={props} choices={tools.map(({ name, description }) => ({ value: name, label: description.slice(0, 80) }))} hasFailed={isError} />;
}

/** Names only: nobody ever sees a secret's value again. */
export function SecretPicker(props: WidgetProps) {
  const { data: secrets = [], isError } = useQuery({ ...secretsQuery, retry: false });
  const names = [...new Set(secrets.map(({ name }) => name))];
  return <Picker props={props} choices={names.map((name) => ({ value: name, label: name }))} hasFailed={isError} />;
}
