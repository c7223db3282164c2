import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";

import { agentQuery, type Agent } from "@/api/queries";
import { useMe } from "@/app/session";
import { Page } from "@/parts/page/Page";
import { Avatar } from "@/parts/people/Avatar";
import { Failed, Loading } from "@/parts/states/states";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/ui/tabs";

import { AgentStatusBadge } from "../AgentStatusBadge";
import { Settings } from "../form/Settings";
import { useT } from "../messages";
import { Overview } from "../overview/Overview";
import { usePending } from "../queries";
import { TABS } from "../search";
import { CountBadge } from "../tools/CountBadge";
import { ToolsTab } from "../tools/ToolsTab";
import { AgentActions } from "./AgentActions";

const route = getRouteApi("/shell/agents/$id");

/** One agent: what it is, what it may do, and what it did. */
export function AgentPage() {
  const t = useT();
  const { id } = route.useParams();
  const { data: agent, error, refetch } = useQuery(agentQuery(id));
  const crumbs = [{ label: t("title"), path: "/agents" }];
  if (agent) return <Loaded agent={agent} />;
  return (
    <Page title={t("agent")} crumbs={crumbs}>
      {error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading />}
    </Page>
  );
}

function Loaded({ agent }: { agent: Agent }) {
  const t = useT();
  const me = useMe();
  const navigate = route.useNavigate();
  const { tab = "overview" } = route.useSearch();
  const pending = usePending(agent.id, me.may("approvals.tenant.decide"));
  const heading = (
    <>
      <Avatar name={agent.display_name} picture={agent.avatar_url} className="size-9 text-sm" />
      <span className="min-w-0 break-words">{agent.display_name}</span>
      <span className="text-base font-normal text-muted-foreground">@{agent.handle}</span>
      <AgentStatusBadge value={agent.status} />
    </>
  );
  const show = (next: string) => {
    const chosen = TABS.find((one) => one === next);
    // What was asked of one tab means nothing to another.
    void navigate({ search: ({ invocation }) => ({ ...(invocation === undefined ? {} : { invocation }), ...(chosen === "overview" ? {} : { tab: chosen }) }) });
  };
  return (
    <Page title={agent.display_name} heading={heading} crumbs={[{ label: t("title"), path: "/agents" }]} lead={agent.bio ? <p className="max-w-3xl break-words">{agent.bio}</p> : undefined} actions={<AgentActions agent={agent} />}>
      <Notice agent={agent} />
      {/* Chosen, not only focused: the focus comes back to a tab when somebody decides to stay. */}
      <Tabs value={tab} onValueChange={show} activationMode="manual">
        <TabsList aria-label={agent.display_name}>
          <TabsTrigger value="overview">{t("tab.overview")}</TabsTrigger>
          <TabsTrigger value="tools">
            {t("tab.tools")}
            <CountBadge pages={pending} />
          </TabsTrigger>
          <TabsTrigger value="settings">{t("tab.settings")}</TabsTrigger>
        </TabsList>
        <TabsContent value="overview">
          <Overview agent={agent} />
        </TabsContent>
        <TabsContent value="tools">
          <ToolsTab agent={agent} pending={pending} />
        </TabsContent>
        <TabsContent value="settings">
          <Settings key={agent.id} agent={agent} />
        </TabsContent>
      </Tabs>
    </Page>
  );
}

/** What keeps every call of the agent from running. */
function Notice({ agent }: { agent: Agent }) {
  const t = useT();
  if (agent.status === "active") return null;
  return <p className="rounded-lg border bg-warn-soft px-4 py-3 text-sm text-warn">{t(`notice.${agent.status}`)}</p>;
}
