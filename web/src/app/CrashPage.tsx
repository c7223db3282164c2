import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";

import { asProblem } from "@/api/problem";
import { Button, buttonVariants } from "@/ui/button";

import { useT } from "./messages";
import { explain } from "./notify";

/** When a page cannot be shown at all: a failure of the server while loading, or a mistake of ours. */
export function CrashPage({ error, reset }: ErrorComponentProps) {
  const t = useT();
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  const isOurs = asProblem(error).status < 0;
  const { title, detail } = explain(error);
  const retry = () => {
    queries.reset();
    reset();
    void router.invalidate();
  };
  return (
    <div role="alert" className="grid min-h-full place-items-center p-6">
      <title>{`${t("crash.title")} · ${t("name")}`}</title>
      <div className="grid max-w-lg justify-items-center gap-3 text-center">
        <TriangleAlert aria-hidden className="size-8 text-bad" />
        <h1 className="text-lg font-semibold">{isOurs ? t("crash.title") : title}</h1>
        {isOurs && <p className="text-muted-foreground">{t("crash.text")}</p>}
        {detail !== "" && <p className="max-w-full text-sm break-words text-muted-foreground">{detail}</p>}
        <div className="flex gap-2">
          <Button onClick={retry}>{t("retry")}</Button>
          <a href="/" className={buttonVariants({ variant: "outline" })}>
            {t("crash.home")}
          </a>
        </div>
      </div>
    </div>
  );
}
