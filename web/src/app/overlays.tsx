// What can lie over any page, opened by the URL (`?invocation=…`). An area adds its drawer here, as a lazy component.
import { useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";

const InvocationDrawer = lazy(() => import("@/pages/invocations/call/InvocationDrawer"));
const ApprovalNotices = lazy(() => import("@/pages/inbox/notices/ApprovalNotices"));

export function Overlays() {
  const { invocation } = useSearch({ from: "/shell" });
  return (
    <Suspense>
      {invocation !== undefined && <InvocationDrawer id={invocation} />}
      <ApprovalNotices />
    </Suspense>
  );
}
