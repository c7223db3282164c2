import { useState } from "react";

import { cn } from "@/ui/cn";
import { Label } from "@/ui/label";

import { getAt, idAt, isAround, setAt, type Doc, type Path } from "../doc/json";
import { useT } from "../messages";
import { JsonControl } from "./JsonControl";
import { Pairs } from "./Pairs";
import { ChoiceControl, CodeControl, LinesControl, NumberControl, SwitchControl, TextControl } from "./TextControls";
import type { Complaint, ControlProps, ControlSpec } from "./types";
import { Words } from "./Words";

interface Props {
  specs: readonly ControlSpec[];
  doc: Doc;
  onChange(doc: Doc): void;
  /** Where the document stands in the whole definition. */
  at?: Path;
  complaint?: Complaint;
  /** What is unusual, and not wrong. */
  notes?: readonly Complaint[];
  disabled?: boolean;
  className?: string;
}

/** A form over a document: each control fills one place of it, and the server's complaint stands at the place that it is about. */
export function FieldList(props: Props) {
  const t = useT();
  const { doc, at = [], complaint, className } = props;
  const shown = props.specs.filter((spec) => spec.when?.(doc) !== false);
  const more = shown.filter((spec) => spec.more === true);
  const [isOpen, setIsOpen] = useState(() => more.some((spec) => getAt(doc, spec.path) !== undefined));
  const isComplainedOf = complaint !== undefined && more.some((spec) => isAround([...at, ...spec.path], complaint.pointer));
  return (
    <div className={cn("grid min-w-0 gap-4", className)}>
      <Rows {...props} shown={shown.filter((spec) => spec.more !== true)} />
      {more.length > 0 && (
        <details open={isOpen || isComplainedOf} onToggle={(event) => setIsOpen(event.currentTarget.open)} className="min-w-0">
          <summary className="cursor-pointer py-1 text-sm font-medium text-muted-foreground hover:text-foreground max-md:py-3">{t("more")}</summary>
          <div className="pt-3">
            <Rows {...props} shown={more} />
          </div>
        </details>
      )}
    </div>
  );
}

function Rows({ specs, shown, doc, onChange, at = [], complaint, notes = [], disabled = false }: Props & { shown: readonly ControlSpec[] }) {
  return (
    <div className="grid min-w-0 items-start gap-x-4 gap-y-4 sm:grid-cols-2">
      {shown.map((spec) => {
        const path = [...at, ...spec.path];
        const said = complaint && isAround(path, complaint.pointer) ? complaint.message : undefined;
        const note = notes.find(({ pointer }) => isAround(path, pointer))?.message;
        return <Filled key={spec.path.join("/")} spec={spec} id={idAt(path)} value={getAt(doc, spec.path)} complaint={said} note={note} disabled={disabled} onChange={(value) => onChange(pruned(specs, doc, setAt(doc, spec.path, value)))} />;
      })}
    </div>
  );
}

/** What is no longer asked is no longer said: a choice may leave no place for what was filled in before it. */
function pruned(specs: readonly ControlSpec[], before: Doc, after: Doc): Doc {
  const gone = specs.filter((spec) => spec.when?.(before) === true && spec.when(after) === false);
  return gone.reduce((doc, spec) => (getAt(doc, spec.path) === undefined ? doc : setAt(doc, spec.path, undefined)), after);
}

interface FilledProps {
  spec: ControlSpec;
  id: string;
  value: unknown;
  complaint: string | undefined;
  note: string | undefined;
  disabled: boolean;
  onChange(value: unknown): void;
}

const WIDE = ["lines", "code", "words", "pairs", "json"];
/** These have no single box that a label could name. */
const LABELLED_ITSELF = ["code", "pairs", "json"];

function Filled({ spec, id, value, complaint, note, disabled, onChange }: FilledProps) {
  const t = useT();
  const label = t(spec.label);
  const describedBy = [spec.help && `${id}-help`, complaint !== undefined && `${id}-error`].filter(Boolean).join(" ") || undefined;
  const props: ControlProps = { id, label, value, onChange, spec, describedBy, isInvalid: complaint !== undefined, disabled };
  const isSwitch = spec.kind === "switch";
  return (
    <div className={cn("grid min-w-0 content-start gap-1.5", (spec.wide ?? WIDE.includes(spec.kind)) && "sm:col-span-2")}>
      <div className={cn(isSwitch && "flex items-center gap-2")}>
        {LABELLED_ITSELF.includes(spec.kind) ? <span className="text-sm font-medium">{label}</span> : <Label htmlFor={id}>{label}</Label>}
        {isSwitch && <Control {...props} />}
      </div>
      {!isSwitch && <Control {...props} />}
      {spec.help && (
        <p id={`${id}-help`} className="text-xs text-muted-foreground">
          {t(spec.help)}
        </p>
      )}
      {note !== undefined && <p className="text-xs break-words text-warn">{note}</p>}
      {complaint !== undefined && (
        <p id={`${id}-error`} role="alert" className="text-xs break-words text-bad">
          {complaint}
        </p>
      )}
    </div>
  );
}

function Control(props: ControlProps) {
  switch (props.spec.kind) {
    case "text":
      return <TextControl {...props} />;
    case "lines":
      return <LinesControl {...props} />;
    case "code":
      return <CodeControl {...props} />;
    case "number":
      return <NumberControl {...props} />;
    case "choice":
      return <ChoiceControl {...props} />;
    case "switch":
      return <SwitchControl {...props} />;
    case "words":
      return <Words {...props} />;
    case "pairs":
      return <Pairs {...props} />;
    case "json":
      return <JsonControl id={props.id} label={props.label} value={props.value} onChange={props.onChange} isInvalid={props.isInvalid} disabled={props.disabled} />;
  }
}
