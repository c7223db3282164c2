import type { ComponentProps, ReactNode } from "react";

import { Input, Textarea } from "@/ui/input";
import { Field } from "@/ui/label";

import { useT } from "../messages";
import type { Draft, TextKey } from "./draft";
import { useForm } from "./form";

interface TextFieldProps {
  name: TextKey;
  label: string;
  help?: ReactNode;
  className?: string;
  long?: boolean;
  props?: ComponentProps<"input">;
}

/** One text of the draft, with its label, its help and what is wrong with it. */
export function TextField({ name, label, help, className, long = false, props = {} }: TextFieldProps) {
  const t = useT();
  const { draft, change, wrong, refused, isReadOnly } = useForm();
  const id = `agent-${name}`;
  const reason = wrong[name];
  const error = reason !== undefined ? t(`wrong.${reason}`) : refused[name];
  const shared = {
    id,
    name,
    value: draft[name],
    readOnly: isReadOnly,
    "aria-invalid": error !== undefined || undefined,
    "aria-describedby": [help !== undefined && `${id}-help`, error !== undefined && `${id}-error`].filter(Boolean).join(" ") || undefined,
  };
  const set = (value: string) => change({ [name]: value } as Partial<Draft>);
  return (
    <Field id={id} label={label} help={help} error={error} className={className}>
      {long ? <Textarea {...shared} rows={name === "persona" ? 10 : 2} className={name === "persona" ? "min-h-52" : "min-h-14"} onChange={(event) => set(event.target.value)} /> : <Input {...shared} autoComplete="off" {...props} onChange={(event) => set(event.target.value)} />}
    </Field>
  );
}
