import { Plus, Split } from "lucide-react";

import { Button } from "@/ui/button";

import { FieldList } from "../controls/FieldList";
import type { Complaint, ControlSpec } from "../controls/types";
import { isObject, setAt, type Doc, type Path } from "../doc/json";
import { useT } from "../messages";
import { STEP } from "./kinds";
import { ListItem } from "./ListItem";
import { moved } from "./moved";

interface Props {
  steps: unknown;
  onChange(steps: Doc[]): void;
  at: Path;
  complaint?: Complaint;
  /** Groups do not nest. */
  mayGroup?: boolean;
}

const GROUP: ControlSpec[] = [{ path: ["id"], kind: "text", label: "step.groupId", needed: true }];

/** The steps of a composition, one after the other; those of a group at the same time. */
export function Steps({ steps, onChange, at, complaint, mayGroup = true }: Props) {
  const t = useT();
  const all: Doc[] = Array.isArray(steps) ? steps.map((step) => (isObject(step) ? step : {})) : [];
  const put = (index: number, next: Doc) => onChange(all.map((one, place) => (place === index ? next : one)));
  const freeId = (wish: string) => {
    let number = all.length + 1;
    while (all.some((step) => step["id"] === `${wish}_${number}`)) number += 1;
    return `${wish}_${number}`;
  };
  return (
    <div className="grid min-w-0 gap-2">
      {all.length === 0 && <p className="rounded-lg border border-dashed px-3 py-4 text-sm text-muted-foreground">{t("step.none")}</p>}
      <ol className="grid min-w-0 gap-2">
        {all.map((step, index) => (
          <ListItem
            key={index}
            title={`${index + 1}. ${String(step["id"] ?? "")}`}
            isFirst={index === 0}
            isLast={index === all.length - 1}
            onMove={(by) => onChange(moved(all, index, by))}
            onRemove={() => onChange(all.filter((_, place) => place !== index))}
          >
            {"parallel" in step ? (
              <div className="grid min-w-0 gap-3">
                <FieldList specs={GROUP} doc={step} at={[...at, index]} complaint={complaint} onChange={(next) => put(index, next)} />
                <p className="text-sm text-muted-foreground">{t("step.group.help")}</p>
                <Steps steps={step["parallel"]} mayGroup={false} at={[...at, index, "parallel"]} complaint={complaint} onChange={(inner) => put(index, setAt(step, ["parallel"], inner))} />
              </div>
            ) : (
              <FieldList specs={STEP} doc={step} at={[...at, index]} complaint={complaint} onChange={(next) => put(index, next)} />
            )}
          </ListItem>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" onClick={() => onChange([...all, { id: freeId("step"), tool: "", input: {} }])}>
          <Plus aria-hidden />
          {t("step.add")}
        </Button>
        {mayGroup && (
          <Button variant="outline" onClick={() => onChange([...all, { id: freeId("group"), parallel: [] }])}>
            <Split aria-hidden />
            {t("step.addGroup")}
          </Button>
        )}
      </div>
    </div>
  );
}
