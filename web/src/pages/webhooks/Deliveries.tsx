import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleSlash, CircleX, Hourglass, MailX } from "lucide-react";

import { LookBadge, type Look } from "@/parts/badges/LookBadge";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { RelativeTime } from "@/parts/time/Time";

import { useT } from "./messages";
import { deliveriesQuery, type Delivery } from "./queries";

const LOOKS: Record<Delivery["status"], Look> = {
  pending: { tone: "warn", icon: Hourglass },
  delivered: { tone: "good", icon: CircleCheck },
  failed: { tone: "bad", icon: CircleX },
  cancelled: { tone: "quiet", icon: CircleSlash },
};

export function Deliveries({ webhook }: { webhook: string }) {
  const t = useT();
  const { data: deliveries, error, refetch } = useQuery(deliveriesQuery(webhook));
  return (
    <section aria-labelledby="deliveries" className="grid gap-2">
      <h3 id="deliveries" className="text-sm font-medium">
        {t("deliveries")}
      </h3>
      {error && !deliveries ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : !deliveries ? (
        <Loading />
      ) : deliveries.length === 0 ? (
        <Empty icon={MailX} title={t("deliveries.none")} className="py-8">
          {t("deliveries.none.text")}
        </Empty>
      ) : (
        <ul className="divide-y rounded-lg border">
          {deliveries.map((delivery) => (
            <DeliveryLine key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
    </section>
  );
}

function DeliveryLine({ delivery }: { delivery: Delivery }) {
  const t = useT();
  return (
    <li className="grid gap-1 px-3 py-2 text-sm">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <LookBadge look={LOOKS[delivery.status]} text={t(`delivery.${delivery.status}`)} />
        <RelativeTime at={delivery.created_at} className="text-muted-foreground" />
        <span className="text-muted-foreground">{t("attempts", { count: delivery.attempts })}</span>
        {delivery.last_status ? <span className="text-muted-foreground">{t("answered", { status: delivery.last_status })}</span> : null}
        <Link to="." search={(search) => ({ ...search, invocation: delivery.invocation_id })} className="ml-auto text-link hover:underline max-md:py-2">
          {t("call")}
        </Link>
      </span>
      {delivery.last_error && <span className="break-words text-muted-foreground">{delivery.last_error}</span>}
      {delivery.next_attempt_at && (
        <span className="text-muted-foreground">
          {t("next")} <RelativeTime at={delivery.next_attempt_at} />
        </span>
      )}
    </li>
  );
}
