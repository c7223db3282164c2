import { isObject } from "../json/values";
import { Generic } from "./Generic";
import { Markdown } from "./markdown/Markdown";
import { humane } from "./rows";
import { Value } from "./Value";

/** The few numbers that matter stand large; words and lists below them. */
export function SummarySection({ value, label }: { value: unknown; label: string }) {
  if (typeof value === "string") return <Markdown text={value} />;
  if (!isObject(value)) return <Figure name={label} value={value} />;
  const members = Object.entries(value);
  const figures = members.filter(([, member]) => isFigure(member));
  const rest = members.filter(([, member]) => !isFigure(member));
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {figures.length > 0 && (
        <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-border bg-border sm:grid-cols-3 lg:grid-cols-4">
          {figures.map(([key, member]) => (
            <div key={key} className="bg-card p-3">
              <Figure name={humane(key)} value={member} />
            </div>
          ))}
        </dl>
      )}
      {rest.length > 0 && <Generic value={Object.fromEntries(rest)} label={label} />}
    </div>
  );
}

const MAX_FIGURE_CHARS = 24;

function isFigure(value: unknown): boolean {
  return typeof value === "number" || typeof value === "boolean" || value === null || (typeof value === "string" && value.length <= MAX_FIGURE_CHARS);
}

function Figure({ name, value }: { name: string; value: unknown }) {
  return (
    <>
      <dt className="text-xs text-muted-foreground">{name}</dt>
      <dd className="text-lg leading-7 font-semibold break-words">
        <Value value={value} />
      </dd>
    </>
  );
}
