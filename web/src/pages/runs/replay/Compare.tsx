import { useQuery } from "@tanstack/react-query";
import { useId } from "react";

import { useLanguage } from "@/app/i18n";
import { JsonDiff } from "@/parts/changes/JsonDiff";
import { Failed } from "@/parts/states/states";
import { absoluteTime } from "@/parts/time/format";
import { Button } from "@/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";
import { Label } from "@/ui/label";
import { NativeSelect } from "@/ui/native-select";

import { useT } from "../messages";
import { peersQuery } from "../queries";
import type { Run } from "../types";
import { comparable, firstDifference } from "./differences";
import type { Moment } from "./moments";
import { useMomentName } from "./names";
import { useMoments } from "./useMoments";

interface CompareProps {
  run: Run;
  moments: Moment[];
  against: string | undefined;
  onAgainst(id: string | undefined): void;
  onGo(index: number): void;
}

/** Holds the run against another one of the same agent, and leads to where they part. */
export function Compare({ run, moments, against, onAgainst, onGo }: CompareProps) {
  const t = useT();
  const id = useId();
  const language = useLanguage();
  const agent = run.agent ?? "";
  const { data: runs = [] } = useQuery({ ...peersQuery(agent), enabled: agent !== "" });
  const peers = runs.filter((peer) => peer.id !== run.id);
  const isKnown = against === undefined || peers.some((peer) => peer.id === against);
  return (
    <div className="flex flex-col gap-2 rounded-lg border p-3">
      <Label htmlFor={id}>{t("compare")}</Label>
      <NativeSelect id={id} value={against ?? ""} onChange={(event) => onAgainst(event.target.value || undefined)} disabled={peers.length === 0 && isKnown}>
        <option value="">{peers.length === 0 ? t("compare.noPeers") : t("compare.none")}</option>
        {!isKnown && <option value={against}>{against}</option>}
        {peers.map((peer) => (
          <option key={peer.id} value={peer.id}>
            {`${absoluteTime(new Date(peer.created_at), language)} · ${t(`status.${peer.status}`)} · ${(peer.message ?? "").slice(0, 60)}`}
          </option>
        ))}
      </NativeSelect>
      {against !== undefined && <Verdict moments={moments} against={against} onGo={onGo} />}
    </div>
  );
}

function Verdict({ moments, against, onGo }: { moments: Moment[]; against: string; onGo(index: number): void }) {
  const t = useT();
  const name = useMomentName();
  const { moments: other, error } = useMoments(against);
  if (!other) return error ? <Failed error={error} className="py-4" /> : <p className="text-sm text-muted-foreground">{t("compare.loading")}</p>;
  const first = firstDifference(moments, other);
  if (first === undefined) return <p className="text-sm">{t("compare.same")}</p>;
  const moment = moments[first] ?? other[first];
  return (
    <>
      <p className="text-sm">{t("compare.differs", { moment: moment ? name(moment) : "" })}</p>
      <Button variant="outline" size="sm" onClick={() => onGo(Math.min(first, moments.length - 1))}>
        {t("compare.go")}
      </Button>
    </>
  );
}

/** What differs at this moment: before is the other run, after is this one. */
export function Differences({ moment, at, against }: { moment: Moment; at: number; against: string }) {
  const t = useT();
  const { moments: other } = useMoments(against);
  if (!other) return null;
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("compare.title")}</CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-2">
        <p className="text-xs text-muted-foreground">{t("compare.legend")}</p>
        <JsonDiff before={comparable(other[at])} after={comparable(moment)} label={t("compare.title")} />
      </CardContent>
    </Card>
  );
}
