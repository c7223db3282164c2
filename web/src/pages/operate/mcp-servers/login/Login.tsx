import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";

import { secretsQuery } from "@/api/every";
import { CopyButton } from "@/parts/copy/CopyButton";
import { Refusal } from "@/parts/refusal/Refusal";
import { RelativeTime } from "@/parts/time/Time";
import { Button } from "@/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";
import { Spinner } from "@/ui/spinner";

import { useAccess } from "../../shared/access";
import { useT } from "../messages";
import type { McpServer } from "../queries";
import { loginSecret } from "../secrets-in";
import { backTo, useFinishLogin, useStartLogin } from "./useLogin";

/** Whether somebody logged in to the server, and the way to do it. */
export function Login({ server }: { server: McpServer }) {
  const t = useT();
  if (!server.oauth) return null;
  const isMachine = server.oauth.grant === "client_credentials";
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("login.title")}</CardTitle>
      </CardHeader>
      <CardContent className="grid gap-3 text-sm">{isMachine ? <p>{t("login.machine")}</p> : <PersonLogin server={server} />}</CardContent>
    </Card>
  );
}

function PersonLogin({ server }: { server: McpServer }) {
  const t = useT();
  const { me, seesSecrets } = useAccess();
  const { data: secrets } = useQuery({ ...secretsQuery, enabled: seesSecrets });
  const start = useStartLogin(server.name);
  const finish = useFinishLogin(server.name);
  const per = server.oauth?.per ?? "tenant";
  const kept = secrets?.find(({ name }) => name === loginSecret(server.name));
  const mayAll = me.may("secrets.tenant.update");
  if (finish.isFinishing) {
    return (
      <p role="status" className="flex items-center gap-2">
        <Spinner /> {t("login.finishing")}
      </p>
    );
  }
  return (
    <>
      <Refusal error={start.error ?? finish.error} />
      {finish.refused !== undefined && (
        <p role="alert" className="text-bad">
          {t("login.refused", { reason: finish.refused })}
        </p>
      )}
      <p>
        {kept ? (
          <>
            {t("login.kept")} <RelativeTime at={kept.updated_at} />.
          </>
        ) : (
          t("login.none")
        )}{" "}
        <span className="text-muted-foreground">{t(`login.per.${per}`)}</span>
      </p>
      <div className="flex flex-wrap gap-2">
        {(per === "user" || mayAll) && (
          <Button variant={kept ? "outline" : "default"} busy={start.isPending} onClick={() => start.mutate(per)}>
            <KeyRound aria-hidden />
            {kept ? t("login.again") : t("login.start")}
          </Button>
        )}
        {per === "tenant" && me.may("secrets.user.update") && (
          <Button variant="ghost" disabled={start.isPending} onClick={() => start.mutate("user")}>
            {t("login.own")}
          </Button>
        )}
      </div>
      <p className="text-xs text-muted-foreground">
        {t("login.redirect")}{" "}
        <span className="inline-flex max-w-full items-center gap-1">
          <code className="font-mono break-all">{backTo(server.name)}</code>
          <CopyButton text={backTo(server.name)} className="size-6 max-md:size-11" />
        </span>
      </p>
    </>
  );
}
