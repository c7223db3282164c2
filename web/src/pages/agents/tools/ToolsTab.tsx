import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

import type { Pages } from "@/api/pages";
import type { Agent, Invocation } from "@/api/queries";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/ui/tabs";

import { useT } from "../messages";
import { SECTIONS } from "../search";
import { Approvals } from "./Approvals";
import { Assignments } from "./Assignments";
import { CountBadge } from "./CountBadge";
import { ExplainSheet } from "./ExplainSheet";
import { Invocations } from "./Invocations";
import { Profiles } from "./Profiles";
import { Registry } from "./Registry";

const route = getRouteApi("/shell/agents/$id");

/** Registry, assignments, profiles, invocations and approvals of one agent. */
export function ToolsTab({ agent, pending }: { agent: Agent; pending: Pages<Invocation> }) {
  const t = useT();
  const navigate = route.useNavigate();
  const { section = "registry" } = route.useSearch();
  const show = (next: string) => {
    const chosen = SECTIONS.find((one) => one === next);
    void navigate({ search: ({ invocation }) => ({ ...(invocation === undefined ? {} : { invocation }), tab: "tools" as const, ...(chosen === "registry" ? {} : { section: chosen }) }) });
  };
  // On a phone the tabs do not fit: the chosen one is brought into sight, and with it how many wait.
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void list.current?.querySelector("[data-state=active]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [section]);
  return (
    <>
      <Tabs value={section} onValueChange={show} activationMode="manual">
        <TabsList aria-label={t("tab.tools")} ref={list}>
          {SECTIONS.map((one) => (
            <TabsTrigger key={one} value={one}>
              {t(`section.${one}`)}
              {one === "approvals" && <CountBadge pages={pending} />}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="registry">
          <Registry agent={agent} />
        </TabsContent>
        <TabsContent value="assignments">
          <Assignments agent={agent} />
        </TabsContent>
        <TabsContent value="profiles">
          <Profiles agent={agent} />
        </TabsContent>
        <TabsContent value="invocations">
          <Invocations agent={agent} />
        </TabsContent>
        <TabsContent value="approvals">
          <Approvals agent={agent} pending={pending} />
        </TabsContent>
      </Tabs>
      <ExplainSheet agent={agent} />
    </>
  );
}
