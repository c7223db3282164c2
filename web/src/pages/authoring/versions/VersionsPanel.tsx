import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { GitCompareArrows } from "lucide-react";

import { compact } from "@/parts/search/params";
import { Failed, Loading } from "@/parts/states/states";
import { Field } from "@/ui/label";
import { NativeSelect } from "@/ui/native-select";

import { useT } from "../messages";
import { diffQuery, type Version } from "../queries";
import { parseEditor } from "../search";
import { Part } from "../sections/Part";
import { ChangeList } from "./ChangeList";
import { VersionRow } from "./VersionRow";

interface Props {
  name: string;
  versions: Version[];
  /** Begins to write from an old version. */
  onEdit?(version: Version): void;
}

/** Every version there was, what changed from one to the next, and the way back to an old one. */
export function VersionsPanel({ name, versions, onEdit }: Props) {
  const t = useT();
  const navigate = useNavigate();
  const search = parseEditor(useSearch({ strict: false }));
  const known = (version: string | undefined) => versions.find((one) => one.version === version)?.version;
  const to = known(search.to) ?? versions[0]?.version ?? "";
  const before = versions[versions.findIndex(({ version }) => version === to) + 1]?.version;
  const from = known(search.from) ?? before ?? "";
  const compare = (next: { from?: string; to?: string }) => void navigate({ to: ".", search: (old) => compact({ ...old, from, to, ...next }), replace: true });
  return (
    <>
      <Part title={t("versions")} help={t("versions.help")}>
        <ul className="grid min-w-0 divide-y rounded-lg border">
          {versions.map((version, index) => (
            <VersionRow key={version.id} name={name} version={version} isNewest={index === 0} onEdit={onEdit && (() => onEdit(version))} onCompare={index < versions.length - 1 ? () => compare({ from: versions[index + 1]?.version, to: version.version }) : undefined} />
          ))}
        </ul>
      </Part>
      {versions.length > 1 && (
        <Part title={t("diff")} help={t("diff.help")}>
          <div className="flex flex-wrap items-end gap-3">
            <Field id="diff-from" label={t("diff.from")}>
              <VersionSelect id="diff-from" value={from} versions={versions} onChange={(next) => compare({ from: next })} />
            </Field>
            <GitCompareArrows aria-hidden className="mb-2 size-4 text-muted-foreground" />
            <Field id="diff-to" label={t("diff.to")}>
              <VersionSelect id="diff-to" value={to} versions={versions} onChange={(next) => compare({ to: next })} />
            </Field>
          </div>
          <Difference name={name} from={from} to={to} />
        </Part>
      )}
    </>
  );
}

function VersionSelect({ id, value, versions, onChange }: { id: string; value: string; versions: Version[]; onChange(version: string): void }) {
  return (
    <NativeSelect id={id} value={value} onChange={(event) => onChange(event.target.value)}>
      {versions.map(({ version }) => (
        <option key={version}>{version}</option>
      ))}
    </NativeSelect>
  );
}

function Difference({ name, from, to }: { name: string; from: string; to: string }) {
  const { data, error, refetch } = useQuery({ ...diffQuery(name, from, to), enabled: from !== "" && to !== "" });
  if (!data) return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading />;
  // The version itself always differs: that is what was chosen.
  const changes = (data.changes as { key: string; from?: unknown; to?: unknown }[]).filter(({ key }) => key !== "version");
  return <ChangeList changes={changes} />;
}
