// What a tenant may change of a tool that ships with the program. Only to the stricter side: the server says what is looser.
import type { ControlSpec } from "../controls/types";
import { RISKS } from "../sections/specs";

export const OVERRIDE: ControlSpec[] = [
  { path: ["description"], kind: "lines", label: "description", help: "override.description.help" },
  { path: ["requires_approval"], kind: "switch", label: "requiresApproval", help: "requiresApproval.help" },
  { path: ["permission_policy"], kind: "choice", label: "policy", help: "policy.help", none: "override.asShipped", choices: [{ value: "always_ask", label: "policy.always_ask" }] },
  { path: ["risk"], kind: "choice", label: "risk", help: "override.risk.help", none: "override.asShipped", choices: RISKS },
  { path: ["timeout_ms"], kind: "number", label: "timeout", help: "override.timeout.help" },
  { path: ["rate_limit", "limit"], kind: "number", label: "rateLimit", help: "override.rate.help" },
  { path: ["rate_limit", "window_s"], kind: "number", label: "rateWindow" },
  { path: ["rate_limit", "concurrency"], kind: "number", label: "rateConcurrency" },
  { path: ["required_permission"], kind: "text", label: "permission", help: "override.permission.help", suggest: "permissions" },
  { path: ["defaults"], kind: "json", label: "override.defaults", help: "override.defaults.help" },
];

export const OVERRIDE_KEYS = ["description", "requires_approval", "permission_policy", "risk", "timeout_ms", "rate_limit", "required_permission", "defaults"];
