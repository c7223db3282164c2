import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";

import { Page } from "@/parts/page/Page";
import { Failed, Loading } from "@/parts/states/states";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/ui/tabs";

import { Editor } from "./Editor";
import { ExplainTab } from "./ExplainTab";
import { useT } from "./messages";
import { policiesQuery, type PolicyVersion } from "./queries";
import { useDraft } from "./useDraft";
import { VersionsTab } from "./VersionsTab";

const route = getRouteApi("/shell/operate/policies");

export function PoliciesPage() {
  const t = useT();
  const { data: versions, error, refetch } = useQuery(policiesQuery);
  return (
    <Page title={t("title")} lead={t("lead")}>
      {versions ? <Loaded versions={versions} /> : error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading />}
    </Page>
  );
}

function Loaded({ versions }: { versions: PolicyVersion[] }) {
  const t = useT();
  const navigate = route.useNavigate();
  const { tab = "rules" } = route.useSearch();
  const inForce = versions.find(({ in_force: isInForce }) => isInForce);
  const draft = useDraft(inForce);
  const show = (next: string) => void navigate({ search: next === "versions" || next === "explain" ? { tab: next } : {}, replace: true });
  return (
    <Tabs value={tab} onValueChange={show} className="min-w-0">
      <TabsList aria-label={t("title")}>
        <TabsTrigger value="rules">{t("tab.rules")}</TabsTrigger>
        <TabsTrigger value="versions">{t("tab.versions")}</TabsTrigger>
        <TabsTrigger value="explain">{t("tab.explain")}</TabsTrigger>
      </TabsList>
      <TabsContent value="rules">
        <Editor draft={draft} inForce={inForce} />
      </TabsContent>
      <TabsContent value="versions">
        <VersionsTab
          versions={versions}
          onTake={(document) => {
            draft.setDocument(document);
            show("rules");
          }}
        />
      </TabsContent>
      <TabsContent value="explain">
        <ExplainTab />
      </TabsContent>
    </Tabs>
  );
}
