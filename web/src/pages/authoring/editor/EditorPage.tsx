import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { CopyPlus, ExternalLink } from "lucide-react";

import { asProblem } from "@/api/problem";
import { toolQuery } from "@/api/queries";
import { useMe } from "@/app/session";
import { PathLink } from "@/app/PathLink";
import { LifecycleBadge, OriginBadge } from "@/parts/badges/badges";
import { Page } from "@/parts/page/Page";
import { Failed, Loading } from "@/parts/states/states";
import { Badge } from "@/ui/badge";
import { buttonVariants } from "@/ui/button";

import { NotAllowed } from "../list/NotAllowed";
import { useT } from "../messages";
import { versionsQuery } from "../queries";
import { SwitchedOff } from "../system/SwitchedOff";
import { SystemTool } from "../system/SystemTool";
import { Archived } from "./Archived";
import { OwnTool } from "./OwnTool";
import { Renamed } from "./Renamed";

const route = getRouteApi("/shell/admin/tools/$name");

/** One tool for those who write tools: their own, or one that ships with the program. */
export function EditorPage() {
  const t = useT();
  const me = useMe();
  const { name } = route.useParams();
  const versions = useQuery(versionsQuery(name));
  const tool = useQuery({ ...toolQuery(name), retry: false });
  // What was deleted or switched off meanwhile is still in the cache: the refusal is newer.
  const isMissing = tool.error !== null && asProblem(tool.error).isNotFound;
  const isGone = versions.error !== null && asProblem(versions.error).isNotFound;
  const current = isMissing ? undefined : tool.data;
  const isOther = current !== undefined && current.name !== name;
  const newest = isGone ? undefined : versions.data?.[0];
  const crumbs = [{ label: t("title"), path: "/admin/tools" }];
  const heading = (
    <>
      <span className="break-all">{name}</span>
      {newest && <Badge tone="outline">{newest.version}</Badge>}
      {current && !isOther && <OriginBadge value={current.kind} />}
      {current && !isOther && current.lifecycle !== "active" && <LifecycleBadge value={current.lifecycle} />}
    </>
  );
  const actions = current && !isOther && (
    <>
      {current.execution?.kind !== "mcp" && current.origin === "tenant_custom" && (
        <Link to="/admin/tools/new" search={{ copy: name }} className={buttonVariants({ variant: "outline" })}>
          <CopyPlus aria-hidden />
          {t("copyTool")}
        </Link>
      )}
      <PathLink path={`/tools/${encodeURIComponent(name)}`} className={buttonVariants({ variant: "outline" })}>
        <ExternalLink aria-hidden />
        {t("openTool")}
      </PathLink>
    </>
  );
  return (
    <Page title={name} heading={heading} lead={newest && <p className="line-clamp-2 max-w-4xl">{current?.description ?? newest.description}</p>} crumbs={crumbs} actions={actions || undefined}>
      {!me.may("tools.tenant.update") ? (
        <NotAllowed />
      ) : tool.isPending || versions.isPending ? (
        <Loading />
      ) : isOther ? (
        <Renamed from={name} to={current.name} versions={isGone ? [] : (versions.data ?? [])} />
      ) : isGone ? (
        <SwitchedOff name={name} error={tool.error ?? versions.error} />
      ) : !versions.data ? (
        <Failed error={versions.error} onRetry={() => void versions.refetch()} />
      ) : current === undefined && !isMissing ? (
        <Failed error={tool.error} onRetry={() => void tool.refetch()} />
      ) : current === undefined ? (
        <Archived name={name} versions={versions.data} />
      ) : current.origin === "code" ? (
        <SystemTool key={name} tool={current} />
      ) : (
        <OwnTool key={name} name={name} versions={versions.data} tool={current} />
      )}
    </Page>
  );
}
