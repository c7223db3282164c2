import { Link } from "@tanstack/react-router";
import { ReceiptText, ZoomIn } from "lucide-react";

import { useLanguage } from "@/app/i18n";
import { PathLink } from "@/app/PathLink";
import { Fact, FactList } from "@/parts/facts/FactList";
import { JsonTree } from "@/parts/json/JsonTree";
import { AbsoluteTime } from "@/parts/time/Time";
import { cost, duration } from "@/parts/time/format";
import { Badge } from "@/ui/badge";
import { Button, buttonVariants } from "@/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { useT } from "../messages";
import { LOOKS } from "./looks";
import { precise } from "./precise";
import { subjectOf, type SpanRow } from "./tree";

interface SpanDetailProps {
  row: SpanRow;
  lengthMs: number;
  onZoom(): void;
}

/** The chosen span: what it is, what it took, and where what was asked and answered can be read. */
export function SpanDetail({ row, lengthMs, onZoom }: SpanDetailProps) {
  const t = useT();
  const language = useLanguage();
  const { span, role, fromMs, toMs } = row;
  const { icon: Icon } = LOOKS[role];
  const text = (name: string) => (typeof span.attributes[name] === "string" ? span.attributes[name] : undefined);
  const number = (name: string) => (typeof span.attributes[name] === "number" ? span.attributes[name] : undefined);
  const inner = role === "call" ? text("toolgate.run_id") : undefined;
  const [input, output] = [number("gen_ai.usage.input_tokens"), number("gen_ai.usage.output_tokens")];
  const spent = number("toolgate.cost");
  const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format((toMs - fromMs) / lengthMs);
  const verdict = (["allow", "ask", "deny"] as const).find((one) => one === text("toolgate.guard.decision"));
  return (
    <Card className="min-w-0 xl:sticky xl:top-4">
      <CardHeader>
        <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
        <CardTitle className="min-w-0 break-words">{subjectOf(span)}</CardTitle>
        <Badge tone={span.status === "error" ? "bad" : span.status === "running" ? "info" : "good"}>{span.error ?? t(`trace.status.${span.status}`)}</Badge>
      </CardHeader>
      <CardContent className="flex min-w-0 flex-col gap-4">
        <p className="text-sm text-muted-foreground">{t(`trace.help.${role}`)}</p>
        <FactList className="gap-y-1.5 tabular-nums">
          <Fact name={t("trace.took")}>{span.status === "running" ? t("trace.running") : `${precise(toMs - fromMs, language)} · ${t("trace.share", { percent })}`}</Fact>
          <Fact name={t("trace.at")}>+{duration(fromMs, language)}</Fact>
          <Fact name={t("column.began")}>
            <AbsoluteTime at={span.started_at} />
          </Fact>
          {input !== undefined && <Fact name={t("tokens")}>{t("tokens.inOut", { in: input, out: output ?? 0 })}</Fact>}
          {spent !== undefined && <Fact name={t("column.cost")}>{cost(spent, language)}</Fact>}
          {verdict && <Fact name={t("trace.decision")}>{t(`verdict.${verdict}`)}</Fact>}
        </FactList>
        <div className="flex flex-wrap gap-2">
          {span.invocation_id && (
            <Link to="." search={(old) => ({ ...old, invocation: span.invocation_id ?? undefined })} className={buttonVariants({ variant: "outline", size: "sm" })}>
              <ReceiptText aria-hidden />
              {t("openCall")}
            </Link>
          )}
          {inner && (
            <PathLink path={`/runs/${inner}`} className={buttonVariants({ variant: "outline", size: "sm" })}>
              {t("trace.innerRun")}
            </PathLink>
          )}
          <Button variant="outline" size="sm" onClick={onZoom}>
            <ZoomIn aria-hidden />
            {t("trace.zoomTo")}
          </Button>
        </div>
        <details>
          <summary className="cursor-pointer text-sm text-muted-foreground max-md:min-h-11 max-md:py-3">{t("trace.attributes")}</summary>
          <JsonTree value={{ name: span.name, ...span.attributes }} label={t("trace.attributes")} className="mt-2" maxHeightPx={260} />
        </details>
      </CardContent>
    </Card>
  );
}
