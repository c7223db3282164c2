export { DecisionActions } from "./DecisionActions";
export { DecisionDialog, type Asking } from "./DecisionDialog";
export { RejectDialog } from "./RejectDialog";
export { Countdown, Expiry } from "./Expiry";
export { useDecide, type Outcome, type Ruling } from "./decide";
export { useDecideAll } from "./decideAll";
export { canBeEdited, isWaiting, needsAnother, termsOf } from "./terms";
