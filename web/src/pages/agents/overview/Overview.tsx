import type { Agent } from "@/api/queries";
import { useMe } from "@/app/session";

import { About } from "./About";
import { LastRuns } from "./LastRuns";
import { MayDo } from "./MayDo";
import { OwnActions } from "./OwnActions";
import { UsageCard } from "./UsageCard";

/** What it is and may do on the left, what it did on the right. */
export function Overview({ agent }: { agent: Agent }) {
  const me = useMe();
  const maySee = me.may("invocations.tenant.read");
  return (
    <div className="grid min-w-0 items-start gap-4 lg:grid-cols-2">
      <div className="grid min-w-0 gap-4">
        <About agent={agent} />
        <MayDo agent={agent} />
      </div>
      <div className="grid min-w-0 gap-4">
        {maySee && <LastRuns agent={agent} />}
        {maySee && <UsageCard agent={agent} />}
        <OwnActions agent={agent} />
      </div>
    </div>
  );
}
