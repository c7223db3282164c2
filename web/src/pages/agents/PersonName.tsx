import { useQuery } from "@tanstack/react-query";

import { personQuery } from "@/api/queries";
import { useMe } from "@/app/session";

import { useT } from "./messages";

/** The name behind `usr_…`, for those who may know it; a key or an unknown person keeps the id. */
export function PersonName({ id }: { id: string }) {
  const t = useT();
  const me = useMe();
  const isMe = id === me.principal || id === me.user?.id;
  const isPerson = id.startsWith("usr_");
  const { data: person } = useQuery({ ...personQuery(id), enabled: isPerson && !isMe && me.may("people.tenant.read") });
  if (isMe) return <>{t("you", { name: me.user?.name ?? me.principal })}</>;
  if (person) return <>{person.name}</>;
  return (
    <span title={id} className="inline-block max-w-40 truncate align-bottom">
      {isPerson ? t("somebody") : id.startsWith("key_") ? t("someKey") : id}
    </span>
  );
}
