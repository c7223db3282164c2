import { useQuery } from "@tanstack/react-query";

import type { Tool } from "@/api/queries";
import { JsonTree } from "@/parts/json/JsonTree";

import { LiveSettings } from "./LiveSettings";
import { OverrideForm } from "./OverrideForm";
import { definitionOf } from "../doc/definition";
import { WhoUses } from "../lifecycle/WhoUses";
import { useT } from "../messages";
import { versionsQuery } from "../queries";
import { Part } from "../sections/Part";

/** A tool that ships with the program: what this tenant changes of it, who uses it, and what it is. */
export function SystemTool({ tool }: { tool: Tool }) {
  const t = useT();
  const { data: versions } = useQuery(versionsQuery(tool.name));
  const shipped = versions?.find(({ version }) => version === tool.version)?.definition;
  return (
    <div className="grid min-w-0 items-start gap-4 xl:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
      <div className="grid min-w-0 gap-4">
        <OverrideForm key={JSON.stringify(tool.override ?? {})} tool={tool} />
        <LiveSettings name={tool.name} />
      </div>
      <div className="grid min-w-0 gap-4">
        <Part title={t("uses")} help={t("uses.help")}>
          <WhoUses name={tool.name} />
        </Part>
        {shipped && (
          <Part title={t("shipped")} help={t("shipped.help")}>
            <JsonTree value={definitionOf(shipped)} label={t("shipped")} />
          </Part>
        )}
      </div>
    </div>
  );
}
