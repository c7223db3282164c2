import { useState } from "react";

import type { Schemas } from "@/api/client";
import { PathLink } from "@/app/PathLink";
import { Refusal } from "@/parts/refusal/Refusal";
import { Badge } from "@/ui/badge";
import { Button, buttonVariants } from "@/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "@/ui/dialog";

import { Option } from "../shared/Option";
import { useSetRule } from "./actions";
import { EgressSelect, RiskSelect } from "./form/TermSelects";
import { useT } from "./messages";
import type { McpServer, McpTool, ToolRule } from "./queries";

interface RuleDialogProps {
  server: McpServer;
  tool: McpTool;
  mayChange: boolean;
  onClose(): void;
}

/** What the operator knows of one tool. Nothing said means: as the server. */
export function RuleDialog({ server, tool, mayChange, onClose }: RuleDialogProps) {
  const t = useT();
  const { save, error, isPending } = useSetRule(server);
  const [rule, setRule] = useState<ToolRule>(server.tools?.[tool.tool] ?? {});
  const submit = async () => {
    const isPlain = !rule.egress_class && !rule.risk && rule.enabled !== false;
    await save(tool, isPlain ? null : { ...rule, enabled: rule.enabled !== false });
    onClose();
  };
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent>
        <DialogTitle className="break-all">{t("rule.title", { tool: tool.name })}</DialogTitle>
        <DialogDescription>{mayChange ? t("rule.lead") : t("rule.noRight")}</DialogDescription>
        <Refusal error={error} />
        {tool.problem && (
          <p className="text-sm">
            <strong className="font-medium">{t("rule.problem")}:</strong> {tool.problem}
          </p>
        )}
        <Hints annotations={(tool.pending ?? tool.accepted)?.definition.annotations} />
        <div className="grid gap-4 sm:grid-cols-2">
          <EgressSelect id="rule-egress" label={t("rule.egress")} value={rule.egress_class ?? undefined} unsaid={t("rule.asServer", { value: t(`form.egress.${server.egress_class ?? "write"}`) })} disabled={!mayChange} onChange={(next) => setRule({ ...rule, egress_class: next })} />
          <RiskSelect id="rule-risk" label={t("rule.risk")} value={rule.risk ?? undefined} unsaid={t("rule.asServer", { value: server.risk ? t(`form.risk.${server.risk}`) : t("form.risk.unknown") })} disabled={!mayChange} onChange={(next) => setRule({ ...rule, risk: next })} />
        </div>
        <Option label={t("rule.enabled")} help={t("rule.enabled.help")} checked={rule.enabled !== false} disabled={!mayChange} onChange={(enabled) => setRule({ ...rule, enabled })} />
        <DialogFooter>
          {tool.state === "accepted" && tool.enabled && (
            <PathLink path={`/tools/${encodeURIComponent(tool.name)}`} className={buttonVariants({ variant: "ghost" })}>
              {t("rule.open")}
            </PathLink>
          )}
          {mayChange && (
            <Button busy={isPending} onClick={() => void submit().catch(() => undefined)}>
              {t("form.save")}
            </Button>
          )}
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

function Hints({ annotations }: { annotations: Schemas["Annotations"] | undefined }) {
  const t = useT();
  const said = [
    annotations?.readOnlyHint === true && t("hint.readOnly"),
    annotations?.destructiveHint === true && t("hint.destructive"),
    annotations?.idempotentHint === true && t("hint.idempotent"),
    annotations?.openWorldHint === true && t("hint.openWorld"),
  ].filter((hint) => hint !== false);
  if (said.length === 0) return null;
  return (
    <div className="grid gap-1 text-sm">
      <p className="font-medium">{t("rule.hints")}</p>
      <p className="flex flex-wrap gap-1">
        {said.map((hint) => (
          <Badge key={hint} tone="outline">
            {hint}
          </Badge>
        ))}
      </p>
      <p className="text-xs text-muted-foreground">{t("rule.hints.help")}</p>
    </div>
  );
}
