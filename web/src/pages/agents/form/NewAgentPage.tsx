import { useRouter } from "@tanstack/react-router";

import { Problem } from "@/api/problem";
import { notify } from "@/app/notify";
import { useMe } from "@/app/session";
import { useWorkspace } from "@/app/workspace";
import { Page } from "@/parts/page/Page";
import { Refusal } from "@/parts/refusal/Refusal";
import { Failed } from "@/parts/states/states";
import { Button } from "@/ui/button";

import { useT } from "../messages";
import { useCreateAgent } from "../mutations";
import { AgentFields } from "./AgentFields";
import { documentOf, draftOf } from "./draft";
import { useAgentForm } from "./useAgentForm";

export function NewAgentPage() {
  const t = useT();
  const me = useMe();
  const crumbs = [{ label: t("title"), path: "/agents" }];
  return (
    <Page title={t("new")} crumbs={crumbs} lead={t("new.lead")} width="reading">
      {me.may("agents.tenant.create") ? <NewAgentForm /> : <Failed error={new Problem(403, { code: "FORBIDDEN", detail: t("new.forbidden") })} />}
    </Page>
  );
}

function NewAgentForm() {
  const t = useT();
  const router = useRouter();
  const { current } = useWorkspace();
  const create = useCreateAgent();
  const { form, draft, wrong, refused, refusal, change, check, refuse } = useAgentForm({ ...draftOf(), workspace_id: current?.id ?? "" });
  const submit = () => {
    if (!check()) return;
    create.mutate(documentOf(draft), {
      onSuccess(agent) {
        notify.done(t("created", { name: agent.display_name }), { detail: t("created.next") });
        void router.navigate({ to: "/agents/$id", params: { id: agent.id }, search: { tab: "tools" } });
      },
      onError: refuse,
    });
  };
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <AgentFields draft={draft} change={change} wrong={wrong} refused={refused} isReadOnly={false} isNew />
      <Refusal error={refusal} />
      <div className="sticky bottom-0 flex flex-wrap gap-2 border-t bg-background py-3">
        <Button type="submit" size="lg" busy={create.isPending}>
          {t("create")}
        </Button>
        <Button variant="ghost" size="lg" onClick={() => void router.navigate({ to: "/agents" })}>
          {t("cancel")}
        </Button>
      </div>
    </form>
  );
}
