import { useState } from "react";

import type { Invocation } from "@/api/queries";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/ui/tabs";

import { useT } from "../messages";
import { DecisionTab } from "./DecisionTab";
import { ReceiptTab } from "./ReceiptTab";
import { ResultTab } from "./ResultTab";
import { Standing } from "./Standing";
import { TimelineTab } from "./TimelineTab";
import { ValuesTab } from "./ValuesTab";

/** Everything that is on record about a call, the most asked for first. */
export function CallBody({ call }: { call: Invocation }) {
  const t = useT();
  const [tab, setTab] = useState("values");
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Standing call={call} />
      <Tabs value={tab} onValueChange={setTab} className="min-w-0">
        <TabsList aria-label={t("call")}>
          <TabsTrigger value="values">{t("tab.values")}</TabsTrigger>
          <TabsTrigger value="result">{t("tab.result")}</TabsTrigger>
          <TabsTrigger value="decision">{t("tab.decision")}</TabsTrigger>
          <TabsTrigger value="timeline">{t("tab.timeline")}</TabsTrigger>
          <TabsTrigger value="receipt">{t("tab.receipt")}</TabsTrigger>
        </TabsList>
        <TabsContent value="values">
          <ValuesTab call={call} />
        </TabsContent>
        <TabsContent value="result">
          <ResultTab call={call} />
        </TabsContent>
        <TabsContent value="decision">
          <DecisionTab call={call} />
        </TabsContent>
        <TabsContent value="timeline">
          <TimelineTab call={call} />
        </TabsContent>
        <TabsContent value="receipt">
          <ReceiptTab call={call} />
        </TabsContent>
      </Tabs>
    </div>
  );
}
