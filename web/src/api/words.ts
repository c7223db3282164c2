// Words of the API that forms and filters list, from the mildest to the strictest.
import type { Schemas } from "./client";

export const EGRESS = ["none", "read_only", "write"] as const satisfies readonly Schemas["EgressClass"][];
export const RISKS = ["low", "medium", "high", "critical"] as const satisfies readonly Schemas["Risk"][];
