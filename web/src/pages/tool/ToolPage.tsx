import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";

import { asProblem } from "@/api/problem";
import { toolQuery, type Tool } from "@/api/queries";
import { useMe } from "@/app/session";
import { ToolBadges } from "@/parts/badges/ToolBadges";
import { humane } from "@/parts/sections/rows";
import { Page } from "@/parts/page/Page";
import { Failed, Loading } from "@/parts/states/states";
import { FoldedText } from "@/parts/text/FoldedText";
import { Badge } from "@/ui/badge";

import { Workbench } from "./Workbench";
import { useT } from "./messages";
import { MissingSecrets } from "./MissingSecrets";

/** One tool: its form, its run, its answer. */
export function ToolPage() {
  const t = useT();
  const { slug } = useParams({ from: "/shell/tools/$slug" });
  const { data: tool, error, refetch } = useQuery(toolQuery(slug));
  const crumbs = [{ label: t("library"), path: "/tools" }];
  // A server that is away for a moment takes nobody's half-written form; a tool that is gone cannot be called any more.
  if (error && (!tool || asProblem(error).isNotFound)) {
    return (
      <Page title={slug} crumbs={crumbs}>
        <Failed error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  if (!tool) {
    return (
      <Page title={slug} crumbs={crumbs}>
        <Loading />
      </Page>
    );
  }
  return (
    <Page title={humane(tool.name)} crumbs={crumbs} lead={<Lead tool={tool} />}>
      <Notices tool={tool} />
      {/* Another tool is another form: nothing that was typed into one goes to the other. */}
      <Workbench key={`${tool.name}@${tool.version}`} tool={tool} slug={slug} />
    </Page>
  );
}

function Lead({ tool }: { tool: Tool }) {
  const t = useT();
  return (
    <div className="flex max-w-4xl flex-col gap-2">
      <FoldedText text={tool.description} />
      <div className="flex flex-wrap items-center gap-1.5">
        <code className="font-mono text-xs">{tool.name}</code>
        <Badge tone="outline">{t("version", { version: tool.version })}</Badge>
        <ToolBadges tool={tool} />
      </div>
    </div>
  );
}

function Notices({ tool }: { tool: Tool }) {
  const t = useT();
  const me = useMe();
  const missing = tool.missing_secrets ?? [];
  const notices = [
    ...(tool.deprecated === true ? [t("deprecated")] : []),
    ...(tool.warnings ?? []),
    ...(me.may("tools.tenant.execute") ? [] : [t("noPermission")]),
  ];
  if (notices.length + missing.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 rounded-lg border border-border bg-warn-soft px-4 py-3 text-sm text-warn">
      {missing.length > 0 && (
        <li>
          <MissingSecrets names={missing} />
        </li>
      )}
      {notices.map((notice) => (
        <li key={notice}>{notice}</li>
      ))}
    </ul>
  );
}
