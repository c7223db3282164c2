import { Plus, Split } from "lucide-react";

import { Button } from "@/ui/button";

import { FieldList } from "../controls/FieldList";
import type { Complaint, ControlSpec } from "../controls/types";
import { focusSoon } from "../doc/focus";
import { idAt, isObject, pointerOf, setAt, type Doc, type Path } from "../doc/json";
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
  const listId = idAt(at);
  const add = (step: Doc) => {
    onChange([...all, step]);
    focusSoon(idAt([...at, all.length, "id"]));
  };
  return (
    <div className="grid min-w-0 gap-2">
      <Said complaint={complaint} at={at} />
      {all.length === 0 && <p className="rounded-lg border border-dashed px-3 py-4 text-sm text-muted-foreground">{t("step.none")}</p>}
      <ol id={listId} tabIndex={-1} className="grid min-w-0 gap-2">
        {all.map((step, index) => (
          <ListItem
            key={index}
            title={`${index + 1}. ${String(step["id"] ?? "")}`}
            listId={listId}
            index={index}
            count={all.length}
            onMove={(by) => onChange(moved(all, index, by))}
            onRemove={() => onChange(all.filter((_, place) => place !== index))}
          >
            <Said complaint={complaint} at={[...at, index]} />
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
        <Button id={`${listId}-add`} variant="outline" onClick={() => add({ id: freeId("step"), tool: "", input: {} })}>
          <Plus aria-hidden />
          {t("step.add")}
        </Button>
        {mayGroup && (
          <Button variant="outline" onClick={() => add({ id: freeId("group"), parallel: [] })}>
            <Split aria-hidden />
            {t("step.addGroup")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** What the server has against the list, or against a step as a whole: no control of a step is about that. */
function Said({ complaint, at }: { complaint: Complaint | undefined; at: Path }) {
  if (complaint?.pointer !== pointerOf(at)) return null;
  return (
    <p role="alert" className="pb-2 text-sm break-words text-bad">
      {complaint.message}
    </p>
  );
}
