import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";

import { secretsQuery } from "@/api/every";
import { PathLink } from "@/app/PathLink";
import { buttonVariants } from "@/ui/button";

import { useAccess } from "../shared/access";
import { useT } from "./messages";
import type { McpServer } from "./queries";
import { secretsIn } from "./secrets-in";
import { standingOf } from "./states";

/** Why the server could not be asked, what that means, and what to do. */
export function Trouble({ server }: { server: McpServer }) {
  const t = useT();
  const { seesSecrets } = useAccess();
  const { data: secrets } = useQuery({ ...secretsQuery, enabled: seesSecrets });
  const standing = standingOf(server);
  if (standing !== "failing" && standing !== "open") return null;
  const known = secrets?.map(({ name }) => name);
  const missing = known ? secretsIn(server).filter((name) => !known.includes(name)) : [];
  return (
    <div role="alert" className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-2 gap-y-1 rounded-lg bg-bad-soft px-4 py-3 text-sm text-bad">
      <TriangleAlert aria-hidden className="size-5" />
      <h2 className="font-medium">{t(`trouble.${standing}`)}</h2>
      <div className="col-start-2 grid min-w-0 gap-1 text-foreground">
        {server.status?.last_error && <p className="break-words">{server.status.last_error}</p>}
        <p className="text-muted-foreground">
          {t(`state.${standing}.help`)} {t("trouble.keeps")}
        </p>
        {missing.length > 0 && (
          <PathLink path="/operate/secrets" className={buttonVariants({ variant: "outline", size: "sm", className: "justify-self-start" })}>
            {t("trouble.secrets")}: {missing.join(", ")}
          </PathLink>
        )}
      </div>
    </div>
  );
}
