import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Info } from "lucide-react";
import { useMemo, type ReactNode } from "react";

import type { Tool } from "@/api/queries";
import { PathLink } from "@/app/PathLink";
import { compact } from "@/parts/search/params";
import { Button, buttonVariants } from "@/ui/button";

import { definitionOf, kindOf } from "../doc/definition";
import { LifecyclePanel } from "../lifecycle/LifecyclePanel";
import { useT } from "../messages";
import type { Version } from "../queries";
import type { Section } from "../search";
import { LiveSettings } from "../system/LiveSettings";
import { VersionsPanel } from "../versions/VersionsPanel";
import { Editor } from "./Editor";
import { useDraft } from "./useDraft";

const route = getRouteApi("/shell/admin/tools/$name");

interface Props {
  name: string;
  versions: Version[];
  tool: Tool;
}

/** A tool that this tenant registered. */
export function OwnTool({ name, versions, tool }: Props) {
  const t = useT();
  const navigate = useNavigate();
  const { section = "identity" } = route.useSearch();
  const newest = versions.find(({ version }) => version === tool.version) ?? versions[0];
  const published = useMemo(() => definitionOf(newest?.definition ?? tool), [newest, tool]);
  const draft = useDraft(name, published, newest?.version);
  const show = (next: Section) => void navigate({ to: "/admin/tools/$name", params: { name }, search: (search) => compact({ ...search, section: next }), replace: true });
  const history = <VersionsPanel name={name} versions={versions} onEdit={(version) => { draft.change({ ...definitionOf(version.definition), version: String(published["version"]) }); show("identity"); }} />;
  const lifecycle = <LifecyclePanel name={name} versions={versions} />;
  // Its definition is the other server's; what is said here holds all the same.
  if (kindOf(published) === "mcp") {
    return (
      <>
        <Notice text={t("imported")}>
          <PathLink path="/operate/mcp-servers" className={buttonVariants({ variant: "outline", size: "sm" })}>
            {t("imported.open")}
          </PathLink>
        </Notice>
        <LiveSettings name={name} />
        {lifecycle}
        {history}
      </>
    );
  }
  return (
    <>
      {draft.outdated !== undefined && (
        <Notice text={t("draft.outdated", { base: draft.outdated, version: newest?.version ?? "" })}>
          <Button variant="outline" size="sm" onClick={draft.discard}>
            {t("discard")}
          </Button>
        </Notice>
      )}
      <Editor draft={draft} published={name} versions={versions.map(({ version }) => version)} section={section} onSection={show} onPublished={() => undefined} more={{ versions: history, lifecycle }} />
    </>
  );
}

function Notice({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border bg-info-soft px-4 py-3 text-sm text-info">
      <Info aria-hidden className="size-4 shrink-0" />
      <p className="min-w-0 flex-1 basis-60">{text}</p>
      {children}
    </div>
  );
}
