import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { api, data, type Schemas } from "@/api/client";
import { Failed, Loading } from "@/parts/states/states";
import { RelativeTime } from "@/parts/time/Time";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "@/ui/dialog";

import { useT } from "../messages";
import { notify } from "../notify";

type Session = Schemas["SessionResponse"];

const SESSIONS = ["sessions"] as const;
const MOST = 200;

/** Where one is signed in, the latest first; what one does not know can be ended. */
export default function Sessions({ onOpenChange }: { onOpenChange(open: boolean): void }) {
  const t = useT();
  const { data: sessions, error, refetch } = useQuery({
    queryKey: SESSIONS,
    queryFn: async ({ signal }) => (await data(api.GET("/api/auth/sessions", { params: { query: { limit: MOST } }, signal }))).items.toReversed(),
    // Another browser may have signed in meanwhile.
    staleTime: 0,
  });
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogTitle>{t("sessions.title")}</DialogTitle>
        <DialogDescription>{t("sessions.help")}</DialogDescription>
        {sessions ? (
          <ul aria-label={t("sessions.title")} className="divide-y rounded-lg border">
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
        ) : error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading />
        )}
      </DialogContent>
    </Dialog>
  );
}

function SessionRow({ session }: { session: Session }) {
  const t = useT();
  const queryClient = useQueryClient();
  const client = session.client ?? t("sessions.unknown");
  const end = useMutation({
    mutationFn: () => data(api.DELETE("/api/auth/sessions/{id}", { params: { path: { id: session.id } } })),
    onSuccess: () => notify.done(t("sessions.ended", { client })),
    // One that is over already is no longer listed either.
    onSettled: () => queryClient.invalidateQueries({ queryKey: SESSIONS }),
  });
  return (
    <li className="flex min-w-0 items-center gap-3 p-3 text-sm">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{client}</p>
        <dl className="flex flex-wrap gap-x-4 text-xs text-muted-foreground [&_dt]:inline [&_dd]:inline">
          <div>
            <dt>{t("sessions.begun")}</dt> <dd><RelativeTime at={session.begun_at} /></dd>
          </div>
          <div>
            <dt>{t("sessions.used")}</dt> <dd><RelativeTime at={session.used_at} /></dd>
          </div>
        </dl>
      </div>
      {session.current ? (
        <Badge>{t("sessions.current")}</Badge>
      ) : (
        <Button variant="outline" size="sm" busy={end.isPending} aria-label={t("sessions.end.label", { client })} onClick={() => end.mutate()}>
          {t("sessions.end")}
        </Button>
      )}
    </li>
  );
}
