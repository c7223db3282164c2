import { PathLink } from "@/app/PathLink";

import { useT } from "./messages";

const SHOWN = 3;

/** A few of the tools, and how many more. */
export function ToolNames({ names }: { names: string[] }) {
  const t = useT();
  if (names.length === 0) return <span className="text-muted-foreground">{t("tools.none")}</span>;
  const more = names.length - SHOWN;
  return (
    <span className="min-w-0 break-words" title={more > 0 ? names.join(", ") : undefined}>
      {names.slice(0, SHOWN).map((name, index) => (
        <span key={name}>
          {index > 0 && ", "}
          <PathLink path={`/tools/${encodeURIComponent(name)}`} className="text-link hover:underline">
            {name}
          </PathLink>
        </span>
      ))}
      {more > 0 && ` ${t("tools.more", { count: more })}`}
    </span>
  );
}
