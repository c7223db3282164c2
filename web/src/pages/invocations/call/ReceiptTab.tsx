import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";

import type { Invocation } from "@/api/queries";
import { useMe } from "@/app/session";
import { Fact, FactList } from "@/parts/facts/FactList";
import { JsonTree } from "@/parts/json/JsonTree";
import { save } from "@/parts/sections/save";
import { Failed, Loading } from "@/parts/states/states";
import { Button } from "@/ui/button";

import { useT } from "../messages";
import { envelopeQuery } from "../queries";
import { Verification } from "./Verification";

/** The immutable result as whoever called got it, and whether it still is what was recorded. */
export function ReceiptTab({ call }: { call: Invocation }) {
  const t = useT();
  const me = useMe();
  const isOver = call.completed_at !== null && call.completed_at !== undefined;
  const { data: envelope, error, refetch } = useQuery({ ...envelopeQuery(call.id), enabled: isOver });
  if (!isOver) return <p className="text-sm text-muted-foreground">{t("receipt.notYet")}</p>;
  if (!envelope) return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading />;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <p className="text-sm text-muted-foreground">{t("receipt.text")}</p>
      <Verification id={call.id} mayVerify={me.may("audit.tenant.read")} />
      <FactList>
        <Fact name={t("receipt.callId")}>
          <code className="font-mono text-xs break-all">{envelope.call_id}</code>
        </Fact>
        <Fact name={t("receipt.session")}>
          <code className="font-mono text-xs break-all">{envelope.session_id}</code>
        </Fact>
      </FactList>
      <JsonTree value={envelope} label={t("tab.receipt")} />
      <Button variant="outline" size="sm" className="self-start" onClick={() => save(JSON.stringify(envelope, null, 2), `${call.id}.json`, "application/json")}>
        <Download aria-hidden />
        {t("receipt.download")}
      </Button>
    </div>
  );
}
