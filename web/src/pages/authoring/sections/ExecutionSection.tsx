import { useRef } from "react";

import { FieldList } from "../controls/FieldList";
import { JsonControl } from "../controls/JsonControl";
import { KINDS, kindOf, STARTS, type Kind } from "../doc/definition";
import { idAt, isAround, isObject, type Doc } from "../doc/json";
import { useT } from "../messages";
import { KindChoice } from "./KindChoice";
import { KIND_SPECS } from "./kinds";
import { Part } from "./Part";
import type { SectionProps } from "./SectionProps";
import { BOUNDS, SECRETS } from "./specs";
import { Steps } from "./Steps";

export function ExecutionSection({ definition, onChange, complaint }: SectionProps) {
  const t = useT();
  const execution = isObject(definition["execution"]) ? definition["execution"] : {};
  const kind = KINDS.find((one) => one === kindOf(definition));
  // Who looks at another kind and comes back finds what they had written.
  const left = useRef<Partial<Record<string, Doc>>>({});
  const put = (next: Doc) => onChange({ ...definition, execution: next });
  const choose = (next: Kind) => {
    left.current[kindOf(definition)] = execution;
    put(left.current[next] ?? { ...STARTS[next] });
  };
  const said = complaint && complaint.pointer === "/execution" ? complaint.message : undefined;
  return (
    <>
      <Part title={t("kind")} help={t("kind.help")}>
        <div id={idAt(["execution", "kind"])} tabIndex={-1}>
          <KindChoice value={kindOf(definition)} onChange={choose} />
        </div>
        {complaint?.pointer === "/execution/kind" && (
          <p role="alert" className="text-sm break-words text-bad">
            {complaint.message}
          </p>
        )}
      </Part>
      <Part title={kind ? t(`kind.${kind}`) : kindOf(definition)} help={kind && t(`kind.${kind}.help`)}>
        {said !== undefined && (
          <p id={`${idAt(["execution"])}-error`} role="alert" className="text-sm break-words text-bad">
            {said}
          </p>
        )}
        {kind === "composition" && <Steps steps={execution["steps"]} at={["execution", "steps"]} complaint={complaint} onChange={(steps) => put({ ...execution, steps })} />}
        {kind ? (
          <FieldList specs={KIND_SPECS[kind]} doc={execution} at={["execution"]} complaint={complaint} onChange={put} />
        ) : (
          <JsonControl id={idAt(["execution"])} label={t("kind")} value={execution} onChange={(value) => isObject(value) && put(value)} isInvalid={complaint && isAround(["execution"], complaint.pointer)} />
        )}
      </Part>
      <Part title={t("secrets.title")}>
        <FieldList specs={SECRETS} doc={definition} onChange={onChange} complaint={complaint} />
      </Part>
      <Part title={t("bounds")} help={t("bounds.help")}>
        <FieldList specs={BOUNDS} doc={definition} onChange={onChange} complaint={complaint} />
      </Part>
    </>
  );
}
