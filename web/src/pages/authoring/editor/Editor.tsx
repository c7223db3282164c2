import { useRef, useState, type ReactNode } from "react";

import type { Problem } from "@/api/problem";
import { asProblem } from "@/api/problem";
import { useShortcut } from "@/app/shortcuts";
import { Tabs, TabsList, TabsTrigger } from "@/ui/tabs";

import { sectionOf } from "../doc/definition";
import { focusPlace } from "../doc/focus";
import { getAt, pathOf, type Doc } from "../doc/json";
import { useT } from "../messages";
import type { Section } from "../search";
import { TestPanel } from "../test/TestPanel";
import { CheckNotice } from "./CheckNotice";
import { LeaveGuard } from "./LeaveGuard";
import { SaveBar } from "./SaveBar";
import { Sections } from "./Sections";
import { complaintOf, useCheck } from "./useCheck";
import type { DraftControl } from "./useDraft";
import { usePublish } from "./usePublish";

interface Props {
  draft: DraftControl;
  /** The name of a published tool. */
  published: string | undefined;
  versions: readonly string[];
  section: Section;
  onSection(section: Section): void;
  onPublished(definition: Doc): void;
  /** Sections that only a published tool has. */
  more?: Partial<Record<Section, ReactNode>>;
}

const WRITTEN: Section[] = ["identity", "visibility", "schema", "execution", "source"];

/** The definition of a tool in sections, with the test beside it and the way to publish it below. */
export function Editor({ draft, published, versions, section, onSection, onPublished, more = {} }: Props) {
  const t = useT();
  const { definition, isChanged, change, discard, settle } = draft;
  const check = useCheck(definition, isChanged);
  const [tried, setTried] = useState<{ definition: Doc; problem: Problem }>();
  const test = useRef<HTMLDivElement>(null);
  const publish = usePublish((done) => {
    settle(done);
    onPublished(done);
  });
  const submit = () => {
    if (isChanged && !publish.isPending) publish.mutate(definition, { onError: (thrown) => setTried({ definition, problem: asProblem(thrown) }) });
  };
  useShortcut({ keys: "mod+s", label: t("shortcuts.publish"), group: t("title"), run: submit });

  const attempted = tried?.definition === definition ? tried.problem : undefined;
  const problem = attempted ?? (check.state === "refused" ? check.problem : undefined);
  const found = problem && complaintOf(problem);
  // What nobody has filled in yet is not shown as a mistake before they try to publish.
  const complaint = found && (attempted !== undefined || !isEmpty(getAt(definition, pathOf(found.pointer)))) ? found : undefined;
  const warnings = check.state === "fine" ? check.warnings : [];
  const isNew = check.state === "fine" ? check.isNew : published === undefined || !versions.includes(String(definition["version"]));
  const show = (pointer: string) => {
    onSection(sectionOf(pointer));
    focusPlace(pointer);
  };
  const isWritten = WRITTEN.includes(section);
  const tabs: Section[] = ["identity", "visibility", "schema", "execution", ...(["versions", "lifecycle"] as const).filter((one) => one in more), "source"];
  return (
    <Tabs value={section} onValueChange={(next) => onSection(next as Section)} className="flex min-w-0 flex-1 flex-col gap-4">
      <TabsList aria-label={t("sections")}>
        {tabs.map((one) => (
          <TabsTrigger key={one} value={one}>
            {t(`tab.${one}`)}
            {complaint && sectionOf(complaint.pointer) === one && <span className="size-2 rounded-full bg-bad" role="img" aria-label={t("tab.wrong")} />}
          </TabsTrigger>
        ))}
      </TabsList>
      <div className={isWritten ? "grid min-w-0 items-start gap-4 xl:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]" : "grid min-w-0 gap-4"}>
        <Sections section={section} definition={definition} onChange={change} complaint={complaint} published={published} warnings={warnings} more={more} />
        {isWritten && (
          <div ref={test} tabIndex={-1} className="min-w-0 outline-none xl:sticky xl:top-4 xl:max-h-[calc(100dvh-7rem)] xl:overflow-y-auto">
            <TestPanel definition={definition} isDraft={isChanged || published === undefined} onChange={change} />
          </div>
        )}
      </div>
      <SaveBar
        version={String(definition["version"] ?? "")}
        isNew={isNew}
        isChanged={isChanged}
        canPublish={isChanged && !(check.state === "fine" && !check.hasChanges)}
        isBusy={publish.isPending}
        onPublish={submit}
        onDiscard={discard}
        onTest={isWritten ? () => test.current?.scrollIntoView({ block: "start" }) : undefined}
      >
        <CheckNotice check={check} problem={attempted} newName={published === undefined ? String(definition["name"] ?? "") : undefined} version={String(definition["version"] ?? "")} versions={versions} onVersion={(version) => change({ ...definition, version })} onPlace={show} />
      </SaveBar>
      <LeaveGuard isChanged={isChanged} onDiscard={discard} />
    </Tabs>
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}
