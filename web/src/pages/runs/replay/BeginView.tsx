import { JsonTree } from "@/parts/json/JsonTree";
import { Badge } from "@/ui/badge";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { Folded } from "../Folded";
import { useT } from "../messages";
import type { Begin } from "../types";
import { MessageView } from "./MessageView";

/** What the run was given; it goes on with this, whatever changes meanwhile. */
export function BeginView({ begin }: { begin: Begin }) {
  const t = useT();
  const parameters = begin.parameters ?? {};
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("given")}</CardTitle>
        {begin.model && <Badge tone="outline">{begin.model}</Badge>}
        {begin.policy_version && <Badge tone="outline">{t("policy", { version: begin.policy_version })}</Badge>}
      </CardHeader>
      <CardContent className="flex flex-col gap-4">
        {begin.system && <MessageView role={t("role.system")} text={begin.system} />}
        {(begin.history ?? []).map((message, index) => (
          <MessageView key={index} role={t(`role.${message.role}`)} text={message.content ?? message.text ?? ""} />
        ))}
        <MessageView role={t("role.user")} text={begin.message} />
        {Object.keys(parameters).length > 0 && <JsonTree value={parameters} label={t("parameters")} />}
        <section aria-label={t("tools")}>
          <h3 className="pb-2 text-sm font-medium">{t("tools.count", { count: begin.tools.length })}</h3>
          {begin.by_search && <p className="pb-2 text-sm text-muted-foreground">{t("tools.bySearch")}</p>}
          {begin.tools.length > 0 && (
            // It scrolls, so a keyboard must be able to get into it.
            // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            <ul tabIndex={0} aria-label={t("tools")} className="flex max-h-72 flex-col divide-y overflow-y-auto rounded-lg border">
              {begin.tools.map(({ name, version, description }) => (
                <li key={`${name}@${version}`} className="px-3 py-2">
                  <code className="font-mono text-xs">
                    {name}@{version}
                  </code>
                  {description && <Folded text={description} className="text-sm text-muted-foreground" />}
                </li>
              ))}
            </ul>
          )}
        </section>
      </CardContent>
    </Card>
  );
}
