import type { WidgetProps } from "@rjsf/utils";
import { useState, type ChangeEvent } from "react";

import { useLanguage } from "@/app/i18n";

import { isObject } from "../../json/values";
import { bytes } from "../../time/format";
import { useT } from "../messages";
import { SMALL_BUTTON } from "../styles";
import { aria } from "./aria";
import { contentOf, limitOf } from "./files";

/** A file travels inside the input: as a data URL, or as plain base64 where the schema says so. */
export function FileWidget(props: WidgetProps) {
  const { id, value, schema, multiple, disabled, readonly, onChange } = props;
  const t = useT();
  const language = useLanguage();
  const [complaint, setComplaint] = useState<string>();
  const field = isObject(schema["x-field"]) ? schema["x-field"] : {};
  const accept = Array.isArray(field["accept"]) ? field["accept"].join(",") : schema.contentMediaType;
  const limit = limitOf(field["max_bytes"]);
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const texts = values.filter((item): item is string => typeof item === "string" && item !== "");

  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])];
    event.target.value = "";
    setComplaint(undefined);
    const made: string[] = [];
    for (const file of files) {
      if (file.size > limit) {
        setComplaint(t("fileTooLarge", { name: file.name, size: bytes(file.size, language), max: bytes(limit, language) }));
        return;
      }
      try {
        made.push(await contentOf(file, schema));
      } catch {
        setComplaint(t("fileUnreadable", { name: file.name }));
        return;
      }
    }
    if (made.length > 0) onChange(multiple ? [...texts, ...made] : made[0]);
  };

  return (
    <div className="flex flex-col gap-2">
      <input
        id={id}
        name={id}
        type="file"
        accept={accept}
        multiple={multiple}
        disabled={disabled || readonly}
        onChange={(event) => void choose(event)}
        className="block w-full text-sm file:mr-3 file:min-h-11 file:rounded-md file:border file:border-border file:bg-secondary file:px-3 file:text-secondary-foreground sm:file:min-h-9"
        {...aria(props)}
      />
      {texts.map((text, index) => (
        <div key={index} className="flex items-center gap-3 text-sm text-muted-foreground">
          {text.startsWith("data:image/") && <img src={text} alt={t("preview")} className="max-h-24 rounded-md border border-border" />}
          <span className="min-w-0 truncate">{summary(text, language)}</span>
          <button
            type="button"
            className={SMALL_BUTTON}
            onClick={() => onChange(multiple ? texts.filter((_, place) => place !== index) : undefined)}
          >
            {t("clear")}
          </button>
        </div>
      ))}
      {complaint && (
        <p role="alert" className="text-sm text-bad">
          {complaint}
        </p>
      )}
    </div>
  );
}

function summary(text: string, language: string): string {
  const [, type, name] = /^data:([^;,]*)(?:;name=([^;,]*))?/.exec(text) ?? [];
  const size = text.startsWith("data:") || text.length > 200 ? bytes(Math.round((text.length * 3) / 4), language) : text;
  return [name && decodeURIComponent(name), type, size].filter(Boolean).join(" · ");
}
