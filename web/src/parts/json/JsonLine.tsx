import { ChevronDown, ChevronRight } from "lucide-react";
import { useState, type MouseEvent } from "react";

import { useT } from "../messages";
import type { JsonRow } from "./rows";

/** Longer text is cut until somebody wants it: a line of a megabyte stops any browser. */
const TEXT_MOST = 400;

const COLOURS: Partial<Record<JsonRow["kind"], string>> = {
  string: "text-good",
  number: "text-info",
  boolean: "text-warn",
  null: "text-quiet",
};

export function JsonLine({ row }: { row: JsonRow }) {
  const t = useT();
  if (row.kind === "more") return <span className="block pl-5 text-link">{t("json.more", { count: row.size })}</span>;
  const isContainer = row.kind === "object" || row.kind === "array";
  const Chevron = row.isOpen ? ChevronDown : ChevronRight;
  return (
    <span className="flex max-w-[80ch] items-start">
      <span className="flex h-[22px] w-5 shrink-0 items-center justify-center">{row.size > 0 && <Chevron aria-hidden className="size-3.5 text-muted-foreground" />}</span>
      {row.name !== undefined && <span className="mr-1.5 shrink-0 text-muted-foreground">{row.name}:</span>}
      {isContainer ? <Summary row={row} /> : <Scalar row={row} />}
    </span>
  );
}

function Summary({ row }: { row: JsonRow }) {
  const t = useT();
  const [open, close] = row.kind === "array" ? ["[", "]"] : ["{", "}"];
  const inside = row.size === 0 ? "" : "…";
  return (
    <span>
      {row.isOpen ? open : `${open}${inside}${close}`}
      <span className="ml-1.5 text-muted-foreground">{row.size === 0 ? t("json.empty") : t("json.items", { count: row.size })}</span>
    </span>
  );
}

function Scalar({ row }: { row: JsonRow }) {
  const t = useT();
  const [isWhole, setIsWhole] = useState(false);
  const text = JSON.stringify(row.value ?? null);
  const isCut = text.length > TEXT_MOST && !isWhole;
  const showWhole = (event: MouseEvent) => {
    event.stopPropagation();
    setIsWhole(true);
  };
  return (
    <span className={`break-all whitespace-pre-wrap ${COLOURS[row.kind] ?? ""}`}>
      {isCut ? `${text.slice(0, TEXT_MOST)}…` : text}
      {isCut && (
        <button type="button" className="ml-2 text-link underline" onClick={showWhole}>
          {t("json.whole", { count: text.length })}
        </button>
      )}
    </span>
  );
}
