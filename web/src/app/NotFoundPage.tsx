import { buttonVariants } from "@/ui/button";

import { useT } from "./messages";
import { PathLink } from "./PathLink";

export function NotFoundPage() {
  const t = useT();
  return (
    <div className="grid min-h-full place-items-center p-6">
      <title>{`${t("notFound.title")} · ${t("name")}`}</title>
      <div className="grid max-w-md justify-items-center gap-3 text-center">
        <p aria-hidden className="text-4xl font-semibold text-muted-foreground">
          404
        </p>
        <h1 className="text-lg font-semibold">{t("notFound.title")}</h1>
        <p className="text-muted-foreground">{t("notFound.text")}</p>
        <PathLink path="/tools" className={buttonVariants()}>
          {t("notFound.home")}
        </PathLink>
      </div>
    </div>
  );
}
