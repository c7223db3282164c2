import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Navigate, useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import { useMe } from "@/app/session";
import { Page } from "@/parts/page/Page";
import { compact } from "@/parts/search/params";
import { Failed, Loading } from "@/parts/states/states";

import { blank } from "../doc/definition";
import { useT } from "../messages";
import { versionsQuery } from "../queries";
import type { Section } from "../search";
import { NotAllowed } from "../list/NotAllowed";
import { BeginCopy } from "./BeginCopy";
import { Editor } from "./Editor";
import { useDraft } from "./useDraft";

const route = getRouteApi("/shell/admin/tools/new");

/** A tool from nothing, or from another one. */
export function NewToolPage() {
  const t = useT();
  const me = useMe();
  const { copy } = route.useSearch();
  const original = useQuery({ ...versionsQuery(copy ?? ""), enabled: copy !== undefined });
  const crumbs = [{ label: t("title"), path: "/admin/tools" }];
  const newest = original.data?.find(({ lifecycle }) => lifecycle !== "archived") ?? original.data?.[0];
  return (
    <Page title={t("new.title")} lead={t("new.lead")} crumbs={crumbs}>
      {!me.may("tools.tenant.create") ? (
        <NotAllowed />
      ) : copy === undefined ? (
        <NewTool />
      ) : original.error ? (
        <Failed error={original.error} onRetry={() => void original.refetch()} />
      ) : newest ? (
        <BeginCopy original={newest.definition} />
      ) : (
        <Loading />
      )}
    </Page>
  );
}

function NewTool() {
  const navigate = useNavigate();
  const { section = "identity" } = route.useSearch();
  const [initial] = useState(blank);
  const draft = useDraft("", initial, undefined);
  const [done, setDone] = useState<string>();
  // The tool has a page of its own now. Nothing is to be changed here on the way there: it would be lost.
  if (done !== undefined) {
    return (
      <>
        <Loading />
        <Navigate to="/admin/tools/$name" params={{ name: done }} search={{ section: "identity" }} ignoreBlocker />
      </>
    );
  }
  const show = (next: Section) => void navigate({ to: "/admin/tools/new", search: (search) => compact({ ...search, section: next }), replace: true });
  return (
    <Editor
      draft={draft}
      published={undefined}
      versions={[]}
      section={section === "versions" || section === "lifecycle" ? "identity" : section}
      onSection={show}
      onPublished={(definition) => setDone(String(definition["name"]))}
    />
  );
}
