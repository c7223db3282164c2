import { lazy, Suspense } from "react";

import type { Invocation } from "@/api/queries";

import type { Outcome } from "./decide";
import { RejectDialog } from "./RejectDialog";
import { SelfDialog } from "./SelfDialog";

// The form and its validator are only fetched by those who edit.
const EditDialog = lazy(() => import("./EditDialog"));

export type Asking = "reject" | "edit" | "self";

export interface DecisionDialogProps {
  invocation: Invocation;
  onClose(): void;
  onDone?: (outcome: Outcome) => void;
}

/** What a decision still needs from the person: a reason, or the arguments as they should be. */
export function DecisionDialog({ asking, ...props }: DecisionDialogProps & { asking: Asking | undefined }) {
  return (
    <Suspense>
      {asking === "reject" && <RejectDialog calls={[props.invocation]} onClose={props.onClose} onDone={props.onDone} />}
      {asking === "self" && <SelfDialog {...props} />}
      {asking === "edit" && <EditDialog {...props} />}
    </Suspense>
  );
}
