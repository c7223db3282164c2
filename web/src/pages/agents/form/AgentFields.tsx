import { useQuery } from "@tanstack/react-query";

import { useMe } from "@/app/session";

import { toolsByNameQuery } from "../queries";
import { ActionSection } from "./ActionSection";
import { BelongingSection } from "./BelongingSection";
import { FormContext, type FormState } from "./form";
import { IdentitySection } from "./IdentitySection";
import { LimitSection } from "./LimitSection";
import { MetadataSection } from "./MetadataSection";
import { InstructionsSection, ModelSection } from "./ModelSection";
import { ToolSection } from "./ToolSection";

/** Everything that the document of an agent has, the most used first. */
export function AgentFields(form: FormState) {
  const me = useMe();
  const { data: known } = useQuery({ ...toolsByNameQuery, enabled: me.may("tools.tenant.read") });
  const tools = [...(known?.keys() ?? [])];
  const categories = [...new Set([...(known?.values() ?? [])].map(({ category }) => category ?? "").filter(Boolean))].sort();
  return (
    <FormContext value={form}>
      <IdentitySection />
      <InstructionsSection />
      <ModelSection />
      <ToolSection tools={tools} categories={categories} />
      <LimitSection tools={tools} />
      <BelongingSection />
      <ActionSection tools={tools} />
      <MetadataSection />
    </FormContext>
  );
}
