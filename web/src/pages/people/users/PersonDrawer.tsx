import { useQuery } from "@tanstack/react-query";

import { personQuery } from "@/api/queries";
import { useMe } from "@/app/session";
import { Failed, Loading } from "@/parts/states/states";
import { AbsoluteTime } from "@/parts/time/Time";
import { Sheet, SheetBody, SheetContent, SheetDescription, SheetHeader, SheetTitle } from "@/ui/sheet";

import { useT } from "../messages";
import { PersonStatus, SignInWays } from "./columns";
import { DeactivatePerson } from "./DeactivatePerson";
import { PersonForm } from "./PersonForm";

/** One person: what they may do, and whether they may come in. */
export function PersonDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const t = useT();
  const mayChange = useMe().may("people.tenant.update");
  const { data: person, error, refetch } = useQuery(personQuery(id));
  return (
    <Sheet open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <SheetContent>
        <SheetHeader>
          <SheetTitle>{person?.name ?? t("people.person")}</SheetTitle>
          <SheetDescription className="break-all">{person?.email ?? (error ? id : "…")}</SheetDescription>
        </SheetHeader>
        <SheetBody className="grid content-start gap-6">
          {person ? (
            <>
              <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1.5 text-sm [&_dt]:text-muted-foreground">
                <dt>{t("people.column.status")}</dt>
                <dd>
                  <PersonStatus status={person.status} />
                </dd>
                <dt>{t("people.column.way")}</dt>
                <dd>
                  <SignInWays person={person} />
                </dd>
                {person.oidc_issuer && (
                  <>
                    <dt>{t("people.issuer")}</dt>
                    <dd className="break-all">{person.oidc_issuer}</dd>
                  </>
                )}
                <dt>{t("people.column.added")}</dt>
                <dd>
                  <AbsoluteTime at={person.created_at} />
                </dd>
              </dl>
              <PersonForm key={person.id} person={person} readOnly={!mayChange} />
              {mayChange && <DeactivatePerson person={person} />}
            </>
          ) : error ? (
            <Failed error={error} onRetry={() => void refetch()} />
          ) : (
            <Loading />
          )}
        </SheetBody>
      </SheetContent>
    </Sheet>
  );
}
