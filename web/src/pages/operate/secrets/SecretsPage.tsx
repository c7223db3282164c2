import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { LockKeyhole, Plus } from "lucide-react";
import { useState } from "react";

import { everyToolQuery, secretsQuery } from "@/api/every";
import { useShortcut } from "@/app/shortcuts";
import { Page } from "@/parts/page/Page";
import { SearchField } from "@/parts/search/SearchField";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { DataTable } from "@/parts/table/DataTable";
import { Button } from "@/ui/button";

import { useAccess } from "../shared/access";
import { useColumns } from "./columns";
import { DeleteSecret } from "./DeleteSecret";
import { MissingSecrets } from "./MissingSecrets";
import { useT } from "./messages";
import { missingIn, toolsBySecret, type Secret } from "./needs";
import { RotateDialog } from "./RotateDialog";
import { SetDialog } from "./SetDialog";

const route = getRouteApi("/shell/operate/secrets");

type Open = { kind: "rotate" | "delete"; secret: Secret } | undefined;

export function SecretsPage() {
  const t = useT();
  const navigate = route.useNavigate();
  const { search = "", set } = route.useSearch();
  const { seesSecrets } = useAccess();
  const { data: secrets, error, refetch } = useQuery(secretsQuery);
  const { data: tools = [] } = useQuery(everyToolQuery);
  const [open, setOpen] = useState<Open>();
  const needed = toolsBySecret(tools);
  const columns = useColumns({ needed, onRotate: (secret) => setOpen({ kind: "rotate", secret }), onDelete: (secret) => setOpen({ kind: "delete", secret }) });
  const ask = (name: string | undefined) => void navigate({ search: ({ set: _old, ...rest }) => (name === undefined ? rest : { ...rest, set: name }), replace: true });
  useShortcut({ keys: "n", label: t("set"), group: t("shortcuts"), run: () => ask("") }, seesSecrets);
  const button = seesSecrets && (
    <Button onClick={() => ask("")}>
      <Plus aria-hidden />
      {t("set")}
    </Button>
  );
  const shown = secrets?.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  const close = () => setOpen(undefined);
  return (
    <Page title={t("title")} lead={t("lead")} actions={button || undefined}>
      {error && !secrets ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : !secrets || !shown ? (
        <Loading />
      ) : (
        <>
          <MissingSecrets missing={missingIn(tools)} onSet={ask} />
          {secrets.length === 0 ? (
            <Empty icon={LockKeyhole} title={t("empty.title")}>
              <p>{t("empty.text")}</p>
              <p className="pt-2">
                <code>toolgate secret set TRACKER_TOKEN</code>
              </p>
            </Empty>
          ) : (
            <>
              <SearchField label={t("search")} value={search} onChange={(next) => void navigate({ search: next === "" ? {} : { search: next }, replace: true })} className="sm:max-w-sm" />
              {shown.length === 0 ? <p className="text-sm text-muted-foreground">{t("noMatch")}</p> : <DataTable label={t("title")} columns={columns} rows={shown} rowKey={({ id }) => id} />}
            </>
          )}
          {set !== undefined && <SetDialog key={set} name={set} onClose={() => ask(undefined)} />}
          {open?.kind === "rotate" && <RotateDialog secret={open.secret} onClose={close} />}
          {open?.kind === "delete" && <DeleteSecret secret={open.secret} all={secrets} tools={needed.get(open.secret.name) ?? []} onClose={close} />}
        </>
      )}
    </Page>
  );
}
