import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { api, data } from "@/api/client";
import { keys } from "@/api/queries";
import { useMe } from "@/app/session";
import { Choice } from "@/parts/filters/Choice";
import { Labelled } from "@/parts/filters/Labelled";
import { useT as useBadgesT } from "@/parts/messages";
import { useAgents } from "@/parts/people/agents";
import { Combobox } from "@/ui/combobox";
import { Input } from "@/ui/input";

import { useT } from "../messages";
import type { CallFiltersProps } from "./CallFilters";
import { KINDS, SPANS, STATUSES } from "./search";

const MOST = 50;
const WHEN = [...SPANS, "days"] as const;

export function FilterFields({ filters, onChange }: CallFiltersProps) {
  const t = useT();
  const badges = useBadgesT();
  const [isCustom, setIsCustom] = useState(false);
  const span = SPANS.find((one) => one === filters.since);
  const hasDays = isCustom || filters.until !== undefined || (filters.since !== undefined && span === undefined);
  const when = (value: (typeof WHEN)[number] | undefined) => {
    setIsCustom(value === "days");
    onChange({ since: value === "days" ? undefined : value, until: undefined });
  };
  return (
    <>
      <Choice label={t("column.status")} any={t("status.any")} value={filters.status} options={STATUSES.map((value) => ({ value, label: badges(`status.${value}`) }))} onChange={(status) => onChange({ status })} />
      <Labelled id="calls-tool" label={t("tool")}>
        <ToolChoice value={filters.tool} onChange={(tool) => onChange({ tool })} />
      </Labelled>
      <AgentChoice value={filters.agent} onChange={(agent) => onChange({ agent })} />
      <Choice label={t("when")} any={t("when.any")} value={hasDays ? "days" : span} options={WHEN.map((value) => ({ value, label: t(`when.${value}`) }))} onChange={when} />
      {hasDays && (
        <>
          <Input type="date" aria-label={t("since")} className="w-auto" value={span === undefined ? (filters.since ?? "") : ""} max={filters.until} onChange={(event) => onChange({ since: event.target.value || undefined })} />
          <Input type="date" aria-label={t("until")} className="w-auto" value={filters.until ?? ""} min={span === undefined ? filters.since : undefined} onChange={(event) => onChange({ until: event.target.value || undefined })} />
        </>
      )}
      <Choice label={t("kind")} any={t("kind.any")} value={filters.kind} options={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))} onChange={(kind) => onChange({ kind })} />
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

function AgentChoice({ value, onChange }: ChoiceProps) {
  const t = useT();
  const me = useMe();
  const agents = useAgents();
  if (!me.may("agents.tenant.read")) return null;
  const options = agents.list.map(({ id, display_name }) => ({ value: id, label: display_name }));
  return (
    <Labelled id="calls-agent" label={t("agent")}>
      <Combobox id="calls-agent" label={t("agent")} placeholder={t("agent.any")} className="w-40 max-md:w-full" value={value} onChange={onChange} options={options} />
    </Labelled>
  );
}
