// What a page shows instead of its content.
import { Lock, TriangleAlert, WifiOff, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import { asProblem } from "@/api/problem";
import { Button } from "@/ui/button";
import { cn } from "@/ui/cn";
import { Skeleton } from "@/ui/skeleton";

import { useT } from "../messages";

/** Announces that something loads; `children` is its shape, or a few lines where it has none. */
export function Loading({ children, className }: { children?: ReactNode; className?: string }) {
  const t = useT();
  return (
    <div role="status" className={cn("grid gap-3", className)}>
      <span className="sr-only">{t("loading")}</span>
      {children ?? (
        <>
          <Skeleton className="h-5 w-1/3" />
          <Skeleton className="h-20" />
          <Skeleton className="h-20" />
        </>
      )}
    </div>
  );
}

const ROWS = 12;

/** The shape of a list that is on its way. */
export function LoadingRows() {
  return (
    <Loading className="gap-1.5">
      {Array.from({ length: ROWS }, (_, index) => (
        <Skeleton key={index} className="h-9" />
      ))}
    </Loading>
  );
}

interface MessageProps {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  /** The button that does what comes next. */
  action?: ReactNode;
  className?: string;
}

/** Nothing there yet: says what would be here and how it gets here. */
export function Empty({ icon: Icon, title, children, action, className }: MessageProps) {
  return (
    <div className={cn("grid justify-items-center gap-2 rounded-lg border border-dashed px-4 py-12 text-center", className)}>
      <Icon aria-hidden className="size-6 text-muted-foreground" />
      <h2 className="font-medium">{title}</h2>
      {children !== undefined && <div className="max-w-md text-sm text-muted-foreground [&_code]:rounded-sm [&_code]:bg-muted [&_code]:px-1 [&_code]:font-mono [&_code]:text-xs">{children}</div>}
      {action !== undefined && <div className="flex flex-wrap justify-center gap-2 pt-2">{action}</div>}
    </div>
  );
}

/** What happened, why, and what to do: for whatever a query or a mutation threw. A refusal looks like one. */
export function Failed({ error, onRetry, className }: { error: unknown; onRetry?: () => void; className?: string }) {
  const t = useT();
  const problem = asProblem(error);
  const isGone = problem.status === 0;
  const Icon = problem.isForbidden ? Lock : isGone ? WifiOff : TriangleAlert;
  const title = isGone ? t("unreachable.title") : problem.isForbidden ? t("forbidden.title") : problem.title || t("failed.title");
  const hint = problem.hint ?? (isGone ? t("unreachable.hint") : problem.isForbidden ? t("forbidden.hint") : undefined);
  return (
    <div role="alert" className={cn("grid justify-items-center gap-2 rounded-lg border px-4 py-10 text-center", className)}>
      <Icon aria-hidden className={cn("size-6", problem.isForbidden ? "text-muted-foreground" : "text-bad")} />
      <h2 className="font-medium">{title}</h2>
      {problem.detail !== "" && <p className="max-w-lg text-sm break-words">{problem.detail}</p>}
      {hint !== undefined && <p className="max-w-lg text-sm text-muted-foreground">{hint}</p>}
      {!isGone && (
        <p className="text-xs text-muted-foreground">
          {t("failed.code")} <code className="font-mono">{problem.code}</code>
        </p>
      )}
      {onRetry && !problem.isForbidden && (
        <Button variant="outline" className="mt-2" onClick={onRetry}>
          {t("retry")}
        </Button>
      )}
    </div>
  );
}
