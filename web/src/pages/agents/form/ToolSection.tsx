import { useT } from "../messages";
import { useForm } from "./form";
import { NameList } from "./NameList";
import { Section } from "./Section";

/** Tools that count as assigned because the agent says so itself. */
export function ToolSection({ tools, categories }: { tools: readonly string[]; categories: readonly string[] }) {
  const t = useT();
  const { draft, change, isReadOnly, isNew } = useForm();
  return (
    <Section title={t("ownTools")} text={t(isNew ? "ownTools.text.new" : "ownTools.text")}>
      <NameList id="agent-custom_tools" label={t("customTools")} help={t("customTools.help")} value={draft.custom_tools} suggestions={tools} isReadOnly={isReadOnly} onChange={(custom_tools) => change({ custom_tools })} />
      <NameList id="agent-tool_groups" label={t("toolGroups")} help={t("toolGroups.help")} value={draft.tool_groups} suggestions={categories} isReadOnly={isReadOnly} onChange={(tool_groups) => change({ tool_groups })} />
    </Section>
  );
}
