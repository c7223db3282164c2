import { Link } from "@tanstack/react-router";
import { Bot, CornerLeftUp, CornerRightDown, RotateCw, Route, User, Wrench, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import type { Invocation } from "@/api/queries";
import { PathLink } from "@/app/PathLink";
import { useMe } from "@/app/session";
import { useAgents } from "@/parts/people/agents";
import { Principal } from "@/parts/people/Principal";

import { useT } from "../messages";

const linked = "inline-flex items-center gap-1.5 text-link hover:underline max-md:min-h-11";

/** Where the call leads: its tool, who asked, the run it belongs to, and the calls above and below it. */
export function CallLinks({ call }: { call: Invocation }) {
  const t = useT();
  const me = useMe();
  const agent = useAgents().find(call.agent_id);
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      <Fact icon={Wrench} label={t("tool")}>
        <PathLink path={`/tools/${encodeURIComponent(call.tool_name)}`} className={linked}>
          {call.tool_key}
        </PathLink>
      </Fact>
      {call.agent_id && (
        <Fact icon={Bot} label={t("agent")}>
          <PathLink path={`/agents/${call.agent_id}`} className={linked}>
            {agent?.display_name ?? t("agent.unnamed")}
          </PathLink>
        </Fact>
      )}
      <Fact icon={User} label={t("caller")}>
        {call.caller !== call.agent_id && <Principal id={call.caller} />} <span className="text-muted-foreground">{t(`surface.${call.surface}`)}</span>
      </Fact>
      {call.run_id && (
        <Fact icon={Route} label={t("run")}>
          <Link to="/runs/$id" params={{ id: call.run_id }} search={{ tab: "trace", span: call.id }} className={linked}>
            {t("run.open")}
          </Link>
        </Fact>
      )}
      {call.parent_id && (
        <Fact icon={CornerLeftUp} label={t("parent")}>
          <Link to="." search={(search) => ({ ...search, invocation: call.parent_id ?? undefined })} className={linked}>
            {t("parent.open")}
          </Link>
        </Fact>
      )}
      <Fact icon={CornerRightDown} label={t("children")}>
        <Link to="/invocations" search={{ parent: call.id }} className={linked}>
          {t("children.open")}
        </Link>
      </Fact>
      {me.may("tools.tenant.execute") && (
        <Fact icon={RotateCw} label={t("again")}>
          <Link to="/tools/$slug" params={{ slug: call.tool_name }} search={{ from: call.id }} className={linked}>
            {t("again.open")}
          </Link>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ icon: Icon, label, children }: { icon: LucideIcon; label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <dt>
        <Icon aria-hidden className="size-3.5 text-muted-foreground" />
        <span className="sr-only">{label}</span>
      </dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
