import { isObject } from "../json/values";
import { Markdown } from "./markdown/Markdown";
import { useT } from "./messages";
import { humane, isTable, rowsOf } from "./rows";
import { TableSection } from "./TableSection";
import { Value } from "./Value";

const MAX_DEPTH = 3;
const MAX_MEMBERS = 100;
/** A list of this many plain values is read in one line. */
const SHORT_LIST = 20;

/** Any value by its shape: objects as names and values, lists of objects as tables, texts as texts. */
export function Generic({ value, label, depth = 0 }: { value: unknown; label: string; depth?: number }) {
  const t = useT();
  if (typeof value === "string") return depth === 0 ? <Markdown text={value} /> : <Value value={value} />;
  if (isTable(value)) return <TableSection rows={value} label={label} />;
  if (Array.isArray(value)) {
    if (value.length > SHORT_LIST) return <TableSection rows={rowsOf(value)} label={label} />;
    return <Value value={value} />;
  }
  if (!isObject(value) || depth >= MAX_DEPTH) return <Value value={value} />;
  const members = Object.entries(value);
  if (members.length === 0) return <p className="text-sm text-muted-foreground">{t("emptySection")}</p>;
  return (
    <dl className={depth === 0 ? "flex min-w-0 flex-col gap-3" : "flex min-w-0 flex-col gap-2 border-l-2 border-border pl-3"}>
      {members.slice(0, MAX_MEMBERS).map(([key, member]) => (
        <div key={key} className={isPlain(member) ? "grid min-w-0 gap-x-4 sm:grid-cols-[minmax(8rem,14rem)_minmax(0,1fr)]" : "flex min-w-0 flex-col gap-1.5"}>
          <dt className="text-sm text-muted-foreground">{humane(key)}</dt>
          <dd className="min-w-0 break-words">
            <Generic value={member} label={humane(key)} depth={depth + 1} />
          </dd>
        </div>
      ))}
      {members.length > MAX_MEMBERS && <p className="text-sm text-muted-foreground">{t("more", { count: members.length - MAX_MEMBERS })}</p>}
    </dl>
  );
}

function isPlain(value: unknown): boolean {
  return !isObject(value) && !isTable(value) && !(Array.isArray(value) && value.length > SHORT_LIST);
}
