import { getRouteApi } from "@tanstack/react-router";
import { Braces, ListChecks } from "lucide-react";
import { useState } from "react";

import { Principal } from "@/parts/people/Principal";
import { RelativeTime } from "@/parts/time/Time";
import { Button } from "@/ui/button";
import { ToggleGroup, ToggleGroupItem } from "@/ui/toggle-group";

import { useAccess } from "../shared/access";
import { AddRule } from "./AddRule";
import { CheckLine } from "./CheckLine";
import { JsonView } from "./JsonView";
import { useT } from "./messages";
import { PutDialog } from "./PutDialog";
import { useReplay, type PolicyVersion } from "./queries";
import { ReplayPanel } from "./ReplayPanel";
import { RuleList } from "./RuleList";
import { useCheck, type Draft } from "./useDraft";

const route = getRouteApi("/shell/operate/policies");

/** The draft: its rules, what the server thinks of it, what it would have changed, and the way into force. */
export function Editor({ draft, inForce }: { draft: Draft; inForce: PolicyVersion | undefined }) {
  const t = useT();
  const navigate = route.useNavigate();
  const { view = "rules" } = route.useSearch();
  const { has } = useAccess();
  const [isPutting, setIsPutting] = useState(false);
  const check = useCheck(draft);
  const replay = useReplay();
  const mayPut = has("policies:write");
  const show = (next: string) => next !== "" && void navigate({ search: next === "json" ? { view: "json" } : {}, replace: true });
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <div className="min-w-0 flex-1 basis-60 text-sm text-muted-foreground">
          <InForce version={inForce} />
        </div>
        <ToggleGroup type="single" value={view} onValueChange={show} aria-label={t("view")}>
          <ToggleGroupItem value="rules">
            <ListChecks aria-hidden />
            {t("view.rules")}
          </ToggleGroupItem>
          <ToggleGroupItem value="json">
            <Braces aria-hidden />
            {t("view.json")}
          </ToggleGroupItem>
        </ToggleGroup>
        {draft.rules.length > 0 && <AddRule draft={draft} />}
        {mayPut && (
          <Button disabled={!draft.isChanged || !check.isGood} onClick={() => setIsPutting(true)}>
            {t("put")}
          </Button>
        )}
      </div>
      {!mayPut && <p className="text-sm text-muted-foreground">{t("readOnly")}</p>}
      <CheckLine draft={draft} check={check} />
      {view === "json" ? <JsonView draft={draft} /> : <RuleList draft={draft} check={check} />}
      {draft.rules.length > 0 && <ReplayPanel draft={draft} check={check} replay={replay} />}
      {isPutting && <PutDialog draft={draft} inForce={inForce} replay={replay} onClose={() => setIsPutting(false)} />}
    </div>
  );
}

function InForce({ version }: { version: PolicyVersion | undefined }) {
  const t = useT();
  if (!version) return <p>{t("inForce.none")}</p>;
  return (
    <p>
      {t("inForce")}: {t("version")}{" "}
      <code className="font-mono text-xs" title={version.version}>
        {version.version.slice(0, 10)}
      </code>
      , {t("since")} <RelativeTime at={version.created_at} /> {t("by")} <Principal id={version.created_by} />
    </p>
  );
}
