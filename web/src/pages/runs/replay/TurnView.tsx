import { Bot, Clock, Coins, MessagesSquare } from "lucide-react";
import type { ReactNode } from "react";

import { useLanguage } from "@/app/i18n";
import { Markdown } from "@/parts/sections";
import { cost, duration } from "@/parts/time/format";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { useT } from "../messages";
import type { KeptTurn } from "../types";
import { AskedCard } from "./AskedCard";
import type { Moment, TurnMoment } from "./moments";
import { Seen } from "./Seen";

/** One turn: what the model saw, what it said, what it asked for and what came of that. */
export function TurnView({ moment, before }: { moment: TurnMoment; before: Moment[] }) {
  const t = useT();
  const { kept, asked } = moment;
  return (
    <>
      <Seen before={before} />
      <Card>
        <CardHeader>
          <CardTitle className="mr-auto">{t("said")}</CardTitle>
          <TurnFacts kept={kept} />
        </CardHeader>
        <CardContent className="min-w-0">
          {kept.turn.text ? <Markdown text={kept.turn.text} /> : <p className="text-sm text-muted-foreground">{asked.length > 0 ? t("said.onlyCalls") : t("said.nothing")}</p>}
        </CardContent>
      </Card>
      {asked.length > 0 && (
        <section aria-labelledby="asked-title" className="flex min-w-0 flex-col gap-3">
          <h2 id="asked-title" className="text-sm font-semibold">
            {t("asked", { count: asked.length })}
          </h2>
          {asked.map((one, index) => (
            <AskedCard key={one.call?.id ?? one.wish?.id ?? index} asked={one} />
          ))}
        </section>
      )}
    </>
  );
}

function TurnFacts({ kept }: { kept: KeptTurn }) {
  const t = useT();
  const language = useLanguage();
  const { usage, model, stop } = kept.turn;
  const reason = typeof stop === "string" ? stop : stop.other;
  const stops = ["length", "refused"] as const;
  const odd = stops.find((one) => one === reason);
  return (
    <ul className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted-foreground tabular-nums">
      <FactItem icon={<Bot aria-hidden className="size-3.5" />}>{`${kept.provider}/${model}`}</FactItem>
      <FactItem icon={<Clock aria-hidden className="size-3.5" />}>{duration(kept.latency_ms, language)}</FactItem>
      {usage && <FactItem icon={<MessagesSquare aria-hidden className="size-3.5" />}>{t("tokens.inOut", { in: usage.input_tokens ?? 0, out: usage.output_tokens ?? 0 })}</FactItem>}
      {kept.cost ? <FactItem icon={<Coins aria-hidden className="size-3.5" />}>{cost(kept.cost, language)}</FactItem> : null}
      {odd && <li className="font-medium text-warn">{t(`stop.${odd}`)}</li>}
    </ul>
  );
}

function FactItem({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-center gap-1">
      {icon}
      {children}
    </li>
  );
}
