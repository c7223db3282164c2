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
  const crumbs = [{ label: t("title"), path: "/admin/tools" }];
  const newest = versions.data?.[0];
  const heading = (
    <>
      <span className="break-all">{name}</span>
      {newest && <Badge tone="outline">{newest.version}</Badge>}
      {tool.data && <OriginBadge value={tool.data.kind} />}
      {tool.data && tool.data.lifecycle !== "active" && <LifecycleBadge value={tool.data.lifecycle} />}
    </>
  );
  const actions = tool.data && (
    <>
      {tool.data.execution?.kind !== "mcp" && tool.data.origin === "tenant_custom" && (
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
  const isGone = versions.error !== null && asProblem(versions.error).isNotFound;
  return (
    <Page title={name} heading={heading} lead={newest && <p className="line-clamp-2 max-w-4xl">{tool.data?.description ?? newest.description}</p>} crumbs={crumbs} actions={actions}>
      {!me.may("tools.tenant.update") ? (
        <NotAllowed />
      ) : isGone ? (
        <SwitchedOff name={name} error={versions.error} />
      ) : versions.error ? (
        <Failed error={versions.error} onRetry={() => void versions.refetch()} />
      ) : !versions.data || tool.isPending ? (
        <Loading />
      ) : tool.error && !asProblem(tool.error).isNotFound ? (
        <Failed error={tool.error} onRetry={() => void tool.refetch()} />
      ) : tool.data && tool.data.name !== name ? (
        <Renamed from={name} to={tool.data.name} versions={versions.data} />
      ) : tool.data && tool.data.origin === "code" ? (
        <SystemTool key={name} tool={tool.data} />
      ) : tool.data ? (
        <OwnTool key={`${name} ${newest?.version ?? ""} ${newest?.updated_at ?? ""}`} name={name} versions={versions.data} tool={tool.data} />
      ) : (
        <Archived name={name} versions={versions.data} />
      )}
    </Page>
  );
}
