import { UserCheck, UserX } from "lucide-react";
import { useState } from "react";

import { notify } from "@/app/notify";
import { useMe } from "@/app/session";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";

import { useT } from "../messages";
import { useChangePerson, type Person } from "../queries";

/** Shuts somebody out at once, or lets them in again. It can be undone, so it asks only of those who would shut out themselves. */
export function DeactivatePerson({ person }: { person: Person }) {
  const t = useT();
  const isMe = useMe().user?.id === person.id;
  const change = useChangePerson();
  const [isAsking, setIsAsking] = useState(false);
  const isActive = person.status === "active";
  const set = (status: Person["status"], undo?: Person["status"]) =>
    change.mutate(
      { id: person.id, change: { status } },
      { onSuccess: () => notify.done(t(status === "active" ? "people.activated" : "people.deactivated", { name: person.name }), undo === undefined ? {} : { undo: () => set(undo) }) },
    );
  const toggle = () => set(isActive ? "disabled" : "active", person.status);
  return (
    <section className="grid justify-items-start gap-2 border-t pt-4">
      <p className="text-sm text-muted-foreground">{t(isActive ? "people.deactivate.text" : "people.activate.text")}</p>
      <Button variant="outline" busy={change.isPending} onClick={() => (isMe && isActive ? setIsAsking(true) : toggle())}>
        {isActive ? <UserX aria-hidden /> : <UserCheck aria-hidden />}
        {t(isActive ? "people.deactivate" : "people.activate")}
      </Button>
      <Confirm open={isAsking} onOpenChange={setIsAsking} title={t("people.deactivate.self")} action={t("people.deactivate")} busy={change.isPending} onConfirm={toggle}>
        {t("people.deactivate.selfText")}
      </Confirm>
    </section>
  );
}
