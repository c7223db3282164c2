import { NativeSelect } from "@/ui/native-select";

import { useT } from "../messages";
import type { Profile } from "../queries";
import { reachOf, type ToolRow } from "./rows";

interface ProfileSelectProps {
  row: ToolRow;
  profiles: readonly Profile[];
  mayEdit: boolean;
  isReachable: boolean;
  onChange(profile: string | null, label: string): void;
}

/** The profile of an assignment. A tool that comes by another way has none until it is assigned, which choosing one does. */
export function ProfileSelect({ row, profiles, mayEdit, isReachable, onChange }: ProfileSelectProps) {
  const t = useT();
  const chosen = row.assignment?.profile_id ?? "";
  const known = profiles.find(({ id }) => id === chosen);
  if (!mayEdit || !row.entry || reachOf(row) === "denied" || profiles.length === 0) {
    return <span className="block truncate text-sm text-muted-foreground">{chosen === "" ? t("profile.none") : (known?.name ?? chosen)}</span>;
  }
  return (
    <NativeSelect
      aria-label={t("profile.of", { tool: row.name })}
      value={chosen}
      tabIndex={isReachable ? 0 : -1}
      className="w-full"
      onChange={({ target: { value } }) => onChange(value === "" ? null : value, profiles.find(({ id }) => id === value)?.name ?? t("profile.none"))}
    >
      <option value="">{t("profile.none")}</option>
      {profiles.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </NativeSelect>
  );
}
