// The controls of a definition that are the same whatever runs the tool.
import type { ControlSpec } from "../controls/types";
import type { Key } from "../messages";

export const IDENTITY: ControlSpec[] = [
  { path: ["name"], kind: "text", label: "name", help: "name.help", placeholder: "find_order", needed: true },
  { path: ["version"], kind: "text", label: "version", help: "version.help", placeholder: "1.0.0", needed: true },
  { path: ["description"], kind: "lines", label: "description", help: "description.help", needed: true },
  { path: ["category"], kind: "text", label: "category", help: "category.help", suggest: "categories", placeholder: "utility" },
  { path: ["icon"], kind: "text", label: "icon", help: "icon.help", suggest: "icons", placeholder: "wrench" },
  { path: ["long_description"], kind: "code", language: "markdown", label: "longDescription", help: "longDescription.help" },
];

const hint = (name: string, label: Key, help: Key): ControlSpec => ({
  path: ["annotations", name],
  kind: "choice",
  label,
  help,
  none: "hint.none",
  choices: [
    { value: true, label: "yes" },
    { value: false, label: "no" },
  ],
});

export const ANNOTATIONS: ControlSpec[] = [
  hint("readOnlyHint", "hint.readOnly", "hint.readOnly.help"),
  hint("destructiveHint", "hint.destructive", "hint.destructive.help"),
  hint("idempotentHint", "hint.idempotent", "hint.idempotent.help"),
  hint("openWorldHint", "hint.openWorld", "hint.openWorld.help"),
];

export const RISKS = [
  { value: "low", label: "risk.low" },
  { value: "medium", label: "risk.medium" },
  { value: "high", label: "risk.high" },
  { value: "critical", label: "risk.critical" },
] as const;

export const VISIBILITY: ControlSpec[] = [
  {
    path: ["visibility"],
    kind: "choice",
    label: "visibility",
    help: "visibility.help",
    fallback: "external",
    choices: [{ value: "external", label: "visibility.external" }, { value: "internal", label: "visibility.internal" }],
  },
  { path: ["tenant_slugs"], kind: "words", label: "tenants", help: "tenants.help", suggest: "tenants" },
];

export const GUARD: ControlSpec[] = [
  {
    path: ["egress_class"],
    kind: "choice",
    label: "egress",
    help: "egress.help",
    none: "egress.auto",
    choices: [
      { value: "none", label: "egress.none" },
      { value: "read_only", label: "egress.read_only" },
      { value: "write", label: "egress.write" },
    ],
  },
  { path: ["risk"], kind: "choice", label: "risk", help: "risk.help", fallback: "low", choices: RISKS },
  { path: ["requires_approval"], kind: "switch", label: "requiresApproval", help: "requiresApproval.help" },
  {
    path: ["permission_policy"],
    kind: "choice",
    label: "policy",
    help: "policy.help",
    fallback: "auto",
    choices: [{ value: "auto", label: "policy.auto" }, { value: "always_ask", label: "policy.always_ask" }],
  },
  { path: ["required_permission"], kind: "text", label: "permission", help: "permission.help", suggest: "permissions", placeholder: "orders.team.read" },
];

export const BOUNDS: ControlSpec[] = [
  { path: ["timeout_ms"], kind: "number", label: "timeout", help: "timeout.help", placeholder: "30000" },
  {
    path: ["cache"],
    kind: "choice",
    label: "cache",
    help: "cache.help",
    fallback: "none",
    choices: [
      { value: "none", label: "cache.none" },
      { value: "ttl", label: "cache.ttl" },
      { value: "forever", label: "cache.forever" },
    ],
  },
  { path: ["cache_ttl_s"], kind: "number", label: "cacheTtl", when: (doc) => doc["cache"] === "ttl" || doc["cache_ttl_s"] !== undefined },
  { path: ["cache_errors_s"], kind: "number", label: "cacheErrors", help: "cacheErrors.help", when: (doc) => (doc["cache"] ?? "none") !== "none" || doc["cache_errors_s"] !== undefined },
  { path: ["rate_limit", "limit"], kind: "number", label: "rateLimit", help: "rateLimit.help" },
  { path: ["rate_limit", "window_s"], kind: "number", label: "rateWindow" },
  { path: ["rate_limit", "concurrency"], kind: "number", label: "rateConcurrency" },
];

export const SECRETS: ControlSpec[] = [{ path: ["secrets"], kind: "words", label: "secrets", help: "secrets.help", suggest: "secrets", placeholder: "SHOP_TOKEN" }];
