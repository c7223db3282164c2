import { Trash2 } from "lucide-react";
import { useState, type FormEvent } from "react";

import { notify } from "@/app/notify";
import { Refusal } from "@/parts/refusal/Refusal";
import { Button } from "@/ui/button";
import { Sheet, SheetBody, SheetContent, SheetDescription, SheetFooter, SheetHeader, SheetTitle } from "@/ui/sheet";

import { DeleteProfile } from "./DeleteProfile";
import { draftOf, EMPTY, toParams } from "./draft";
import { useT } from "./messages";
import { ProfileFields } from "./ProfileFields";
import { useSaveProfile, type Assignment, type Profile } from "./queries";
import { UsedBy } from "./UsedBy";

interface ProfileSheetProps {
  /** Absent: a new one. */
  profile: Profile | undefined;
  used: Assignment[];
  mayChange: boolean;
  onClose(): void;
}

export function ProfileSheet({ profile, used, mayChange, onClose }: ProfileSheetProps) {
  const t = useT();
  const [draft, setDraft] = useState(() => (profile ? draftOf(profile) : EMPTY));
  const [isDeleting, setIsDeleting] = useState(false);
  const save = useSaveProfile(profile?.id);
  const takeBack = useSaveProfile(profile?.id, false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(toParams(draft), {
      onSuccess({ name }) {
        const undo = profile && (() => takeBack.mutate(toParams(draftOf(profile))));
        notify.done(t(profile ? "saved" : "created", { name }), { undo });
        onClose();
      },
    });
  };
  const lead = !mayChange ? t("edit.readOnly") : profile ? t("edit.lead") : t("create.lead");
  return (
    <Sheet open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <SheetContent>
        <SheetHeader>
          <SheetTitle>{profile ? t("edit.title", { name: profile.name }) : t("create")}</SheetTitle>
          <SheetDescription>{lead}</SheetDescription>
        </SheetHeader>
        <form className="flex min-h-0 flex-1 flex-col" onSubmit={submit}>
          <SheetBody className="grid content-start gap-5">
            <Refusal error={save.error} />
            <ProfileFields draft={draft} set={(part) => setDraft((old) => ({ ...old, ...part }))} isFixed={!mayChange} />
            {profile && <UsedBy used={used} />}
          </SheetBody>
          <SheetFooter>
            {mayChange && (
              <Button type="submit" busy={save.isPending}>
                {profile ? t("form.save") : t("create")}
              </Button>
            )}
            <Button variant="ghost" onClick={onClose}>
              {t("cancel")}
            </Button>
            {mayChange && profile && (
              <Button variant="ghost" className="ml-auto text-bad" onClick={() => setIsDeleting(true)}>
                <Trash2 aria-hidden />
                {t("delete")}
              </Button>
            )}
          </SheetFooter>
        </form>
        {isDeleting && profile && <DeleteProfile profile={profile} used={used} onClose={() => setIsDeleting(false)} onDeleted={onClose} />}
      </SheetContent>
    </Sheet>
  );
}
