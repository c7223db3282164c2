import { getRouteApi } from "@tanstack/react-router";

import { usePending } from "@/app/shell/NavigationList";
import { useMe } from "@/app/session";
import { Page } from "@/parts/page/Page";
import { Badge } from "@/ui/badge";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/ui/tabs";

import { Approvals } from "./approvals/Approvals";
import { useT } from "./messages";
import { NoticesButton } from "./notices/NoticesButton";
import { Tasks } from "./tasks/Tasks";

const route = getRouteApi("/shell/inbox");

/** Everything that waits for this person. */
export function InboxPage() {
  const t = useT();
  const me = useMe();
  const navigate = route.useNavigate();
  const { show } = route.useSearch();
  const pending = usePending();
  const mayDecide = me.may("approvals.tenant.decide");
  const mayWork = me.may("tasks.tenant.work");
  // Who may do one of both sees that one; who may do neither is told so by the server.
  const shown = mayDecide === mayWork ? (show ?? "approvals") : mayDecide ? "approvals" : "tasks";
  const choose = (next: string) => void navigate({ search: (old) => ({ ...old, show: next === "tasks" ? "tasks" : undefined }), replace: true });
  return (
    <Page title={t("title")} lead={t("lead")} width="reading" actions={mayDecide && <NoticesButton />}>
      {mayDecide && mayWork ? (
        <Tabs value={shown} onValueChange={choose}>
          <TabsList aria-label={t("title")}>
            <TabsTrigger value="approvals">
              {t("approvals")} {pending > 0 && <Badge tone="warn">{pending}</Badge>}
            </TabsTrigger>
            <TabsTrigger value="tasks">{t("tasks")}</TabsTrigger>
          </TabsList>
          <TabsContent value="approvals">
            <Approvals />
          </TabsContent>
          <TabsContent value="tasks">
            <Tasks />
          </TabsContent>
        </Tabs>
      ) : shown === "tasks" ? (
        <Tasks />
      ) : (
        <Approvals />
      )}
    </Page>
  );
}
