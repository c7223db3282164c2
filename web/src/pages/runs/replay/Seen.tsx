import { Eye } from "lucide-react";

import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { useT } from "../messages";
import { MessageView } from "./MessageView";
import type { Asked, Moment } from "./moments";

/** What the model saw when it was asked: what is new since its turn before, and all of it on demand. */
export function Seen({ before }: { before: Moment[] }) {
  const t = useT();
  const newest = before.at(-1);
  const older = before.slice(0, -1);
  return (
    <Card>
      <CardHeader>
        <Eye aria-hidden className="size-4 text-muted-foreground" />
        <CardTitle>{t("saw")}</CardTitle>
      </CardHeader>
      <CardContent className="flex min-w-0 flex-col gap-3">
        {older.length > 0 && (
          <details className="min-w-0">
            <summary className="cursor-pointer text-sm text-link max-md:min-h-11 max-md:py-3">{t("saw.before", { count: older.length })}</summary>
            <div className="flex flex-col gap-3 pt-3">
              {older.map((moment, index) => (
                <Messages key={index} moment={moment} />
              ))}
            </div>
          </details>
        )}
        {older.length > 0 && <p className="text-xs font-medium text-muted-foreground">{t("saw.new")}</p>}
        {newest && <Messages moment={newest} />}
      </CardContent>
    </Card>
  );
}

function Messages({ moment }: { moment: Moment }) {
  const t = useT();
  switch (moment.kind) {
    case "begin": {
      const { system, history = [], message, tools } = moment.begin;
      return (
        <>
          {system && <MessageView role={t("role.system")} text={system} />}
          {history.map((one, index) => (
            <MessageView key={index} role={t(`role.${one.role}`)} text={one.content ?? one.text ?? ""} />
          ))}
          <MessageView role={t("role.user")} text={message} />
          <p className="text-sm text-muted-foreground">{t("tools.count", { count: tools.length })}</p>
        </>
      );
    }
    case "turn": {
      const { text } = moment.kept.turn;
      return (
        <>
          {text && <MessageView role={t("role.assistant")} text={text} />}
          {moment.asked.map((asked, index) => (
            <MessageView key={index} role={t("role.result", { name: asked.wish?.name ?? asked.call?.tool_name ?? "" })} text={told(asked) ?? t("saw.nothing")} isData />
          ))}
        </>
      );
    }
    case "end":
      return null;
  }
}

/** What the model was told of a call; how much of it, the bound of the server says. */
function told({ call, search }: Asked): string | undefined {
  if (search) return JSON.stringify({ found: search.found.map(({ name, version }) => `${name}@${version}`) });
  if (call?.error) return JSON.stringify({ error: call.error }, null, 2);
  return call?.output === undefined || call.output === null ? undefined : JSON.stringify(call.output, null, 2);
}
