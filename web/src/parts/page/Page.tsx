import { ArrowLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

import { PathLink } from "@/app/PathLink";
import { cn } from "@/ui/cn";

import { useT } from "../messages";

export interface Crumb {
  label: string;
  path: string;
}

export interface PageProps {
  /** The page's one h1, and the title of its tab. */
  title: string;
  /** Instead of the title's plain text: the name with badges, say. */
  heading?: ReactNode;
  lead?: ReactNode;
  crumbs?: Crumb[];
  actions?: ReactNode;
  children: ReactNode;
  /** Tables use the whole width; what is read stays narrow. */
  width?: "full" | "reading";
  className?: string;
}

/** The frame of a page inside the shell. */
export function Page({ title, heading, lead, crumbs = [], actions, children, width = "full", className }: PageProps) {
  return (
    <div className={cn("mx-auto flex min-h-full w-full flex-col gap-4 px-4 py-4 md:px-6 md:py-5", width === "reading" ? "max-w-4xl" : "max-w-[1600px]", className)}>
      <title>{`${title} · Toolgate`}</title>
      <header className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          {crumbs.length > 0 && <Crumbs crumbs={crumbs} />}
          <h1 className="flex flex-wrap items-center gap-2 text-xl leading-7 font-semibold break-words">{heading ?? title}</h1>
          {lead !== undefined && <div className="pt-0.5 text-muted-foreground">{lead}</div>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

function Crumbs({ crumbs }: { crumbs: Crumb[] }) {
  const t = useT();
  return (
    <nav aria-label={t("breadcrumbs")} className="pb-1">
      <ol className="flex flex-wrap items-center gap-1 text-sm text-muted-foreground">
        {crumbs.map(({ label, path }, index) => (
          <li key={path} className="flex items-center gap-1">
            {/* The page itself is the heading below: the steps lead back, and end with the one above it. */}
            {index === 0 ? <ArrowLeft aria-hidden className="size-3.5" /> : <ChevronRight aria-hidden className="size-3.5" />}
            <PathLink path={path} className="hover:text-foreground hover:underline max-md:py-2">
              {label}
            </PathLink>
          </li>
        ))}
      </ol>
    </nav>
  );
}
