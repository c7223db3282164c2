import { visible } from "../../shared/visible";
import { useT } from "../messages";
import type { Definition } from "../queries";
import { parametersOf } from "./parameters";

/** A tool that nobody accepted yet, as a person reads it: what it says it does, and what it wants to know. */
export function DefinitionView({ definition }: { definition: Definition }) {
  const t = useT();
  const parameters = parametersOf(definition.input_schema);
  return (
    <div className="grid gap-3 text-sm">
      {definition.description && <p className="max-h-40 overflow-y-auto break-words whitespace-pre-wrap">{visible(definition.description)}</p>}
      <div className="grid gap-1">
        <h4 className="text-xs font-medium text-muted-foreground">{t("parameters")}</h4>
        {parameters.length === 0 && <p>{t("parameters.none")}</p>}
        <ul className="grid gap-1">
          {parameters.map(({ name, type, isRequired, description }) => (
            <li key={name} className="min-w-0 break-words">
              <code className="font-mono text-xs">{visible(name)}</code>{" "}
              <span className="text-xs text-muted-foreground">
                {[type, t(isRequired ? "required" : "optional")].filter(Boolean).join(", ")}
              </span>
              {description && <span className="text-muted-foreground"> {visible(description)}</span>}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
