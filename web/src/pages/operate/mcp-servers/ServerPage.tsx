import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Pencil, RefreshCw } from "lucide-react";

import { asProblem } from "@/api/problem";
import { useShortcut } from "@/app/shortcuts";
import { Page } from "@/parts/page/Page";
import { Failed, Loading } from "@/parts/states/states";
import { Button } from "@/ui/button";

import { useAccess } from "../shared/access";
import { About } from "./About";
import { useRefresh } from "./actions";
import { ServerSheet } from "./form/ServerSheet";
import { Login } from "./login/Login";
import { useT } from "./messages";
import { serverQuery, serverToolsQuery, type McpServer } from "./queries";
import { Waiting } from "./review/Waiting";
import { ServerMenu } from "./ServerMenu";
import { StandingBadge } from "./states";
import { ToolsTable } from "./ToolsTable";
import { Trouble } from "./Trouble";

const route = getRouteApi("/shell/operate/mcp-servers/$name");

/** One server: what waits for a look, what it offers, how it is reached. */
export function ServerPage() {
  const t = useT();
  const { name } = route.useParams();
  const { data: server, error, refetch } = useQuery(serverQuery(name));
  const crumbs = [{ label: t("title"), path: "/operate/mcp-servers" }];
  // Somebody may have removed it meanwhile: then what is known of it helps nobody.
  const isGone = error !== null && asProblem(error).isNotFound;
  if (server && !isGone) return <Loaded server={server} crumbs={crumbs} />;
  return (
    <Page title={name} crumbs={crumbs}>
      {error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading />}
    </Page>
  );
}

function Loaded({ server, crumbs }: { server: McpServer; crumbs: { label: string; path: string }[] }) {
  const t = useT();
  const navigate = useNavigate();
  const { change = false } = route.useSearch();
  const { has } = useAccess();
  const refresh = useRefresh(server.name);
  const tools = useQuery(serverToolsQuery(server.name));
  const mayReview = has("tools:write");
  const mayChange = mayReview && has("secrets:write");
  const show = (isOpen: boolean) => void navigate({ to: "/operate/mcp-servers/$name", params: { name: server.name }, search: isOpen ? { change: true } : {}, replace: true });
  const canAsk = mayReview && server.enabled !== false;
  useShortcut({ keys: "r", label: t("refresh"), group: t("shortcuts"), run: () => refresh.mutate() }, canAsk && !refresh.isPending);
  const actions = mayReview && (
    <>
      <Button variant="outline" busy={refresh.isPending} disabled={!canAsk} onClick={() => refresh.mutate()}>
        {!refresh.isPending && <RefreshCw aria-hidden />}
        {t("refresh")}
      </Button>
      {mayChange && (
        <Button variant="outline" onClick={() => show(true)}>
          <Pencil aria-hidden />
          {t("change")}
        </Button>
      )}
      <ServerMenu server={server} mayChange={mayChange} />
    </>
  );
  const heading = (
    <>
      {server.name} <StandingBadge server={server} />
    </>
  );
  return (
    <Page title={server.name} heading={heading} crumbs={crumbs} actions={actions || undefined}>
      <Trouble server={server} />
      <Login server={server} />
      {tools.data ? (
        <>
          <Waiting server={server.name} tools={tools.data} mayReview={mayReview} />
          <ToolsTable server={server} tools={tools.data} mayChange={mayChange} />
        </>
      ) : tools.error ? (
        <Failed error={tools.error} onRetry={() => void tools.refetch()} />
      ) : (
        <Loading />
      )}
      <About server={server} />
      {mayChange && <ServerSheet server={server} open={change} onOpenChange={show} onDone={() => show(false)} />}
    </Page>
  );
}
