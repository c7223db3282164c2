import { useLanguage } from "@/app/i18n";

import { useT } from "./messages";

const MAX_CHARS = 500;
const MAX_JSON_CHARS = 200;

/** One value in a cell or beside a name. Objects inside a cell are JSON, cut: the raw answer has all of it. */
export function Value({ value }: { value: unknown }) {
  const t = useT();
  const language = useLanguage();
  if (value === null || value === undefined) return <span className="text-muted-foreground">–</span>;
  if (typeof value === "boolean") return <>{value ? t("yes") : t("no")}</>;
  if (typeof value === "number") return <span className="tabular-nums">{new Intl.NumberFormat(language, { maximumFractionDigits: 6 }).format(value)}</span>;
  if (typeof value === "string") return <>{cut(value, MAX_CHARS)}</>;
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) {
    return value.length === 0 ? <span className="text-muted-foreground">–</span> : <>{cut(value.slice(0, 50).join(", "), MAX_CHARS)}</>;
  }
  return <code className="font-mono text-xs">{cut(JSON.stringify(value), MAX_JSON_CHARS)}</code>;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
