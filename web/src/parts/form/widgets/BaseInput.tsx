import { examplesId, getInputProps, type BaseInputTemplateProps } from "@rjsf/utils";
import { useState } from "react";

import { CONTROL } from "../styles";
import { aria } from "./aria";

/** Inputs of one line. Numbers are typed as text: a browser's number field loses what it cannot read and changes on a scroll. */
export function BaseInput(props: BaseInputTemplateProps) {
  const { id, htmlName, value, type, schema, options, disabled, readonly, autofocus, placeholder, onChange, onBlur, onFocus } = props;
  const attributes = getInputProps(schema, type, options);
  const isNumber = attributes.type === "number";
  const [typed, setTyped] = useState<string>();
  const text = typed ?? (value === undefined || value === null ? "" : String(value));
  const examples: unknown[] = Array.isArray(schema.examples) ? schema.examples.filter((example) => typeof example !== "object") : [];

  const change = (next: string) => {
    if (isNumber) setTyped(next);
    onChange(next === "" ? options.emptyValue : isNumber ? read(next) : next);
  };

  return (
    <>
      <input
        id={id}
        name={htmlName ?? id}
        className={CONTROL}
        type={isNumber ? "text" : attributes.type}
        inputMode={isNumber ? (attributes.step === 1 ? "numeric" : "decimal") : undefined}
        autoComplete={attributes.type === "password" ? "new-password" : attributes.autoComplete}
        // A form that opens where one is to write is what the author of the schema asked for.
        autoFocus={autofocus}
        disabled={disabled}
        readOnly={readonly}
        placeholder={placeholder}
        value={text}
        list={examples.length > 0 ? examplesId(id) : undefined}
        onChange={(event) => change(event.target.value)}
        onBlur={(event) => {
          setTyped(undefined);
          onBlur(id, event.target.value);
        }}
        onFocus={(event) => onFocus(id, event.target.value)}
        {...aria(props)}
      />
      {examples.length > 0 && (
        <datalist id={examplesId(id)}>
          {examples.map((example) => (
            <option key={String(example)} value={String(example)} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** A text that is no number stays a text, so that the complaint about it is the server's. */
function read(text: string): number | string {
  const number = Number(text.trim().replace(",", "."));
  return text.trim() === "" || Number.isNaN(number) ? text : number;
}
