import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { api, data } from "@/api/client";
import { keys } from "@/api/queries";
import { useMe } from "@/app/session";
import { useT as useBadgesT } from "@/parts/messages";
import { useAgents } from "@/parts/people/agents";
import { Combobox } from "@/ui/combobox";
import { Input } from "@/ui/input";
import { Label } from "@/ui/label";
import { NativeSelect } from "@/ui/native-select";

import { useT } from "../messages";
import type { CallFiltersProps } from "./CallFilters";
import { KINDS, SPANS, STATUSES } from "./search";

const MOST = 50;

export function FilterFields({ filters, onChange, labelled = false }: CallFiltersProps & { labelled?: boolean }) {
  const t = useT();
  const badges = useBadgesT();
  const [isCustom, setIsCustom] = useState(false);
  const span = SPANS.find((one) => one === filters.since);
  const hasDays = isCustom || filters.until !== undefined || (filters.since !== undefined && span === undefined);
  const when = (value: string) => {
    setIsCustom(value === "days");
    onChange({ since: value === "days" ? undefined : value || undefined, until: undefined });
  };
  return (
    <>
      <Labelled id="calls-status" label={t("column.status")} labelled={labelled}>
        <NativeSelect id="calls-status" aria-label={t("column.status")} value={filters.status ?? ""} onChange={(event) => onChange({ status: STATUSES.find((one) => one === event.target.value) })}>
          <option value="">{t("status.any")}</option>
          {STATUSES.map((one) => (
            <option key={one} value={one}>
              {badges(`status.${one}`)}
            </option>
          ))}
        </NativeSelect>
      </Labelled>
      <Labelled id="calls-tool" label={t("tool")} labelled={labelled}>
        <ToolChoice value={filters.tool} onChange={(tool) => onChange({ tool })} />
      </Labelled>
      <AgentChoice labelled={labelled} value={filters.agent} onChange={(agent) => onChange({ agent })} />
      <Labelled id="calls-when" label={t("when")} labelled={labelled}>
        <NativeSelect id="calls-when" aria-label={t("when")} value={hasDays ? "days" : (span ?? "")} onChange={(event) => when(event.target.value)}>
          <option value="">{t("when.any")}</option>
          {SPANS.map((one) => (
            <option key={one} value={one}>
              {t(`when.${one}`)}
            </option>
          ))}
          <option value="days">{t("when.days")}</option>
        </NativeSelect>
      </Labelled>
      {hasDays && (
        <>
          <Input type="date" aria-label={t("since")} className="w-auto" value={span === undefined ? (filters.since ?? "") : ""} max={filters.until} onChange={(event) => onChange({ since: event.target.value || undefined })} />
          <Input type="date" aria-label={t("until")} className="w-auto" value={filters.until ?? ""} min={span === undefined ? filters.since : undefined} onChange={(event) => onChange({ until: event.target.value || undefined })} />
        </>
      )}
      <Labelled id="calls-kind" label={t("kind")} labelled={labelled}>
        <NativeSelect id="calls-kind" aria-label={t("kind")} value={filters.kind ?? ""} onChange={(event) => onChange({ kind: KINDS.find((one) => one === event.target.value) })}>
          <option value="">{t("kind.any")}</option>
          <option value="real">{t("kind.real")}</option>
          <option value="test">{t("kind.test")}</option>
        </NativeSelect>
      </Labelled>
    </>
  );
}

interface ChoiceProps {
  value: string | undefined;
  onChange(value: string | undefined): void;
}

function ToolChoice({ value, onChange }: ChoiceProps) {
  const t = useT();
  const [text, setText] = useState("");
  const { data: found } = useQuery({
    queryKey: [...keys.tools, "names", text],
    queryFn: ({ signal }) => data(api.GET("/api/tools", { params: { query: { limit: MOST, include_deprecated: true, ...(text !== "" && { search: text }) } }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const options = (found?.items ?? []).map(({ name }) => ({ value: name, label: name }));
  return <Combobox id="calls-tool" label={t("tool")} placeholder={t("tool.any")} className="w-44 max-md:w-full" value={value} onChange={onChange} options={options} onSearch={setText} />;
}

function AgentChoice({ value, onChange, labelled }: ChoiceProps & { labelled: boolean }) {
  const t = useT();
  const me = useMe();
  const agents = useAgents();
  if (!me.may("agents.tenant.read")) return null;
  const options = agents.list.map(({ id, display_name }) => ({ value: id, label: display_name }));
  return (
    <Labelled id="calls-agent" label={t("agent")} labelled={labelled}>
      <Combobox id="calls-agent" label={t("agent")} placeholder={t("agent.any")} className="w-40 max-md:w-full" value={value} onChange={onChange} options={options} />
    </Labelled>
  );
}

function Labelled({ id, label, labelled, children }: { id: string; label: string; labelled: boolean; children: ReactNode }) {
  if (!labelled) return children;
  return (
    <div className="grid gap-1">
      <Label htmlFor={id}>{label}</Label>
      {children}
    </div>
  );
}
