import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";

import type { Problem } from "@/api/problem";
import { explain } from "@/app/notify";
import { Button } from "@/ui/button";
import { cn } from "@/ui/cn";
import { Spinner } from "@/ui/spinner";

import { nextAfter } from "../doc/semver";
import { useT } from "../messages";
import { complaintOf, type Check } from "./useCheck";

interface Props {
  check: Check;
  /** Of an attempt to publish; it stands until something changes. */
  problem: Problem | undefined;
  /** Of a tool that is new to whoever writes it. */
  newName: string | undefined;
  version: string;
  versions: readonly string[];
  onVersion(version: string): void;
  onPlace(pointer: string): void;
}

/** Whether it can be published: what is in the way, and what is unusual. */
export function CheckNotice({ check, problem, newName, version, versions, onVersion, onPlace }: Props) {
  const t = useT();
  const refused = problem ?? (check.state === "refused" ? check.problem : undefined);
  if (refused) return refused.isConflict ? <Frozen problem={refused} version={version} versions={versions} onVersion={onVersion} /> : <Refused problem={refused} isTried={problem !== undefined} onPlace={onPlace} />;
  if (check.state === "none") return null;
  if (check.state === "checking") {
    return (
      <p role="status" className="flex items-center gap-2 text-sm text-muted-foreground">
        <Spinner />
        {t("check.asking")}
      </p>
    );
  }
  if (check.state !== "fine") return null;
  const { isNew, hasChanges, warnings } = check;
  // Who writes a new tool does not mean to change another one that has its name.
  const isTaken = newName !== undefined && !isNew;
  return (
    <div role="status" className="grid gap-1 text-sm">
      <p className={cn("flex items-center gap-2", isTaken ? "text-warn" : "text-good")}>
        {isTaken ? <TriangleAlert aria-hidden className="size-4 shrink-0" /> : <CircleCheck aria-hidden className="size-4 shrink-0" />}
        {isTaken ? t("check.taken", { name: newName, version }) : !hasChanges ? t("check.noChange") : isNew ? t("check.new", { version }) : t("check.edit", { version })}
      </p>
      {warnings.length > 0 && (
        <details className="text-muted-foreground">
          <summary className="flex cursor-pointer items-center gap-2">
            <TriangleAlert aria-hidden className="size-4 shrink-0 text-warn" />
            {t("check.warnings", { count: warnings.length })}
          </summary>
          <ul className="grid list-disc gap-1 pt-1 pl-9">
            {warnings.map((warning) => (
              <li key={warning} className="break-words">
                {warning}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function Refused({ problem, isTried, onPlace }: { problem: Problem; isTried: boolean; onPlace(pointer: string): void }) {
  const t = useT();
  const complaint = complaintOf(problem);
  const { title, detail } = explain(problem);
  return (
    <p role={isTried ? "alert" : "status"} className="flex items-start gap-2 text-sm break-words">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
      {complaint ? (
        <span className="min-w-0">
          {t("check.next")}{" "}
          <button type="button" className="text-link underline underline-offset-2 max-md:min-h-11" onClick={() => onPlace(complaint.pointer)}>
            <code className="font-mono text-xs">{complaint.pointer.slice(1).replaceAll("/", " › ")}</code>
          </button>{" "}
          {complaint.message}
        </span>
      ) : (
        <span className="min-w-0">{detail || title}</span>
      )}
    </p>
  );
}

/** What is published keeps its schemas. The way on is a new version. */
function Frozen({ problem, version, versions, onVersion }: Pick<Props, "version" | "versions" | "onVersion"> & { problem: Problem }) {
  const t = useT();
  const next = nextAfter(version, versions);
  return (
    <div role="alert" className="grid gap-2 text-sm">
      <p className="flex items-start gap-2 break-words">
        <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
        {problem.detail}
      </p>
      {next && versions.includes(version) && (
        <div className="flex flex-wrap items-center gap-2 pl-6">
          <span className="text-muted-foreground">{t("frozen.offer")}</span>
          {(["patch", "minor", "major"] as const).map((part) => (
            <Button key={part} variant="outline" size="sm" title={t(`frozen.${part}`)} onClick={() => onVersion(next[part])}>
              {next[part]}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
