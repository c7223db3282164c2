import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";

import { invocationQuery } from "@/api/queries";
import { Page } from "@/parts/page/Page";
import { Failed, Loading } from "@/parts/states/states";

import { useT } from "../messages";
import { CallBody } from "./CallBody";
import { CallHead } from "./CallHead";

export function InvocationPage() {
  const t = useT();
  const { id } = useParams({ from: "/shell/invocations/$id" });
  const { data: call, error, refetch } = useQuery(invocationQuery(id));
  return (
    <Page title={call ? t("call.title", { tool: call.tool_name }) : t("call")} crumbs={[{ label: t("title"), path: "/invocations" }]} lead={call && <CallHead call={call} />} width="reading">
      {error && !call ? <Failed error={error} onRetry={() => void refetch()} /> : call ? <CallBody key={call.id} call={call} /> : <Loading />}
    </Page>
  );
}
