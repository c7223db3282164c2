import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CheckCheck, PanelRightOpen, Rows3, X } from "lucide-react";
import { useId } from "react";

import { calledToolQuery } from "@/api/queries";
import { EgressBadge, RiskBadge, TestBadge } from "@/parts/badges/badges";
import { DecisionActions, Expiry, type Outcome } from "@/parts/decision";
import { JsonTree } from "@/parts/json/JsonTree";
import { Badge } from "@/ui/badge";
import { Button, buttonVariants } from "@/ui/button";

import { useT } from "../messages";
import { isDraft } from "../queries";
import { AskedBy } from "./AskedBy";
import { sameness, type Group } from "./groups";
import { Why } from "./Why";

interface Props {
  group: Group;
  index: number;
  count: number;
  isActive: boolean;
  onActive(): void;
  onOpen(): void;
  onDone(outcome: Outcome): void;
  onApproveAll(): void;
  onRejectAll(): void;
  onApart(key: string): void;
}

/** One question: the real tool, its exact arguments, what it would touch, who asks, how long there is, and the answers. */
export function ApprovalCard({ group, index, count, isActive, onActive, onOpen, onDone, onApproveAll, onRejectAll, onApart }: Props) {
  const t = useT();
  const id = useId();
  const [call] = group.calls;
  const many = group.calls.length;
  const isTried = isDraft(call.tool_key);
  const { data: tool } = useQuery({ ...calledToolQuery(call.tool_key), enabled: !isTried });
  return (
    // In a feed it is the articles that take the focus.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <article
      data-article={index}
      aria-labelledby={`${id}-tool`}
      aria-describedby={`${id}-who`}
      aria-posinset={index + 1}
      aria-setsize={count}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={isActive ? 0 : -1}
      onFocus={onActive}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.target !== event.currentTarget) return;
        event.preventDefault();
        onOpen();
      }}
      className="flex min-w-0 flex-col gap-3 rounded-lg border bg-card p-4 focus-visible:outline-2"
    >
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h2 id={`${id}-tool`} className="min-w-0 font-semibold break-words">
          {call.tool_name} {!isTried && <span className="text-xs font-normal text-muted-foreground">{call.tool_version}</span>}
        </h2>
        {call.is_test && <TestBadge />}
        <EgressBadge value={call.egress_class} />
        {tool?.risk && tool.risk !== "low" && <RiskBadge value={tool.risk} />}
        {many > 1 && <Badge tone="info">{t("identical", { count: many })}</Badge>}
        <Expiry at={call.approval_expires_at} className="ml-auto text-sm" />
      </header>
      <AskedBy id={`${id}-who`} call={call} />
      {tool?.description && <p className="line-clamp-2 text-sm text-muted-foreground">{tool.description}</p>}
      <JsonTree value={call.input} label={t("arguments", { tool: call.tool_name })} maxHeightPx={240} />
      <Why call={call} tool={tool} />
      <div className="flex flex-wrap items-start gap-2">
        {many === 1 ? (
          <DecisionActions invocation={call} onDone={onDone} className="mr-auto max-md:w-full" />
        ) : (
          <div role="group" aria-label={t("identical", { count: many })} className="mr-auto flex flex-wrap gap-2">
            <Button onClick={onApproveAll}>
              <CheckCheck aria-hidden />
              {t("identical.approve", { count: many })}
            </Button>
            <Button variant="outline" onClick={onRejectAll}>
              <X aria-hidden />
              {t("identical.reject", { count: many })}
            </Button>
            <Button variant="ghost" onClick={() => onApart(sameness(call))}>
              <Rows3 aria-hidden />
              {t("identical.apart")}
            </Button>
          </div>
        )}
        <Link to="." search={(search) => ({ ...search, invocation: call.id })} className={buttonVariants({ variant: "ghost" })} aria-label={t("open.call", { tool: call.tool_name })}>
          <PanelRightOpen aria-hidden />
          {t("open")}
        </Link>
      </div>
    </article>
  );
}
