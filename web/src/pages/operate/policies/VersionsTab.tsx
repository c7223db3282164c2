import { useState } from "react";

import { notify } from "@/app/notify";
import { LineDiff } from "@/parts/diff/LineDiff";
import { Principal } from "@/parts/people/Principal";
import { RelativeTime } from "@/parts/time/Time";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";

import { asDocument, settled, type PolicyDocument } from "./document";
import { useT } from "./messages";
import type { PolicyVersion } from "./queries";

interface VersionsTabProps {
  versions: PolicyVersion[];
  onTake(document: PolicyDocument): void;
}

const pretty = (version: PolicyVersion | undefined) => JSON.stringify(settled(asDocument(version?.document)), null, 2);

/** Every policy that was ever in force, the newest first. An older one goes back through the editor, and is checked again. */
export function VersionsTab({ versions, onTake }: VersionsTabProps) {
  const t = useT();
  const [opened, setOpened] = useState<string>();
  const inForce = versions.find(({ in_force: isInForce }) => isInForce);
  if (versions.length === 0) return <p className="text-sm text-muted-foreground">{t("versions.empty")}</p>;
  const take = (version: PolicyVersion) => {
    onTake(asDocument(version.document));
    notify.info(t("versions.taken"));
  };
  return (
    <ul className="grid gap-2" aria-label={t("tab.versions")}>
      {versions.map((version) => {
        const isOpen = opened === version.id;
        return (
          <li key={version.id} className="grid gap-3 rounded-lg border px-4 py-3 text-sm">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <code className="font-mono" title={version.version}>
                {version.version.slice(0, 10)}
              </code>
              {version.in_force && <Badge tone="good">{t("inForce")}</Badge>}
              <span>{t("versions.rules", { count: asDocument(version.document).rules.length })}</span>
              <span className="min-w-0 flex-1 text-muted-foreground">
                <RelativeTime at={version.created_at} /> {t("by")} <Principal id={version.created_by} />
              </span>
              {!version.in_force && (
                <span className="flex flex-wrap gap-2">
                  <Button variant="ghost" size="sm" aria-expanded={isOpen} onClick={() => setOpened(isOpen ? undefined : version.id)}>
                    {isOpen ? t("versions.close") : t("versions.look")}
                  </Button>
                  <Button variant="outline" size="sm" onClick={() => take(version)}>
                    {t("versions.take")}
                  </Button>
                </span>
              )}
            </div>
            {isOpen && <LineDiff label={t("versions.diff")} before={pretty(inForce)} after={pretty(version)} />}
          </li>
        );
      })}
    </ul>
  );
}
