// Badges with a fixed meaning, the same on every page.
import {
  Archive,
  BadgeCheck,
  Ban,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleSlash,
  CircleX,
  Eye,
  FlaskConical,
  Hand,
  Hourglass,
  KeyRound,
  Layers,
  LoaderCircle,
  OctagonAlert,
  Pencil,
  Shield,
  ShieldAlert,
  TriangleAlert,
  UserPen,
  Zap,
} from "lucide-react";

import type { Schemas } from "@/api/client";

import { useT } from "../messages";
import { LookBadge, type Look } from "./LookBadge";

const EGRESS: Record<Schemas["EgressClass"], Look> = {
  none: { tone: "quiet", icon: CircleSlash },
  read_only: { tone: "info", icon: Eye },
  write: { tone: "warn", icon: Pencil },
};
const RISK: Record<Schemas["Risk"], Look> = {
  low: { tone: "quiet", icon: Shield },
  medium: { tone: "warn", icon: ShieldAlert },
  high: { tone: "bad", icon: TriangleAlert },
  critical: { tone: "bad", icon: OctagonAlert },
};
const LIFECYCLE: Record<Schemas["Lifecycle"], Look> = {
  active: { tone: "good", icon: CircleCheck },
  deprecated: { tone: "warn", icon: TriangleAlert },
  blocked: { tone: "bad", icon: Ban },
  draft: { tone: "quiet", icon: CircleDashed },
  archived: { tone: "quiet", icon: Archive },
};
const STATUS: Record<Schemas["Status"], Look> = {
  pending: { tone: "warn", icon: Hourglass },
  approved: { tone: "info", icon: BadgeCheck },
  rejected: { tone: "bad", icon: Ban },
  running: { tone: "info", icon: LoaderCircle },
  completed: { tone: "good", icon: CircleCheck },
  failed: { tone: "bad", icon: CircleX },
  cancelled: { tone: "quiet", icon: CircleSlash },
};
const APPROVAL: Record<Schemas["ApprovalStatus"], Look> = {
  pending: { tone: "warn", icon: Hourglass },
  approved: { tone: "good", icon: BadgeCheck },
  rejected: { tone: "bad", icon: Ban },
  not_required: { tone: "quiet", icon: CircleDot },
};
const PERMISSION: Record<Schemas["PermissionStatus"], Look> = {
  always_allow: { tone: "good", icon: CircleCheck },
  needs_approval: { tone: "warn", icon: Hand },
  blocked: { tone: "bad", icon: Ban },
};
const VERDICT: Record<Schemas["Verdict"], Look> = {
  allow: { tone: "good", icon: CircleCheck },
  ask: { tone: "warn", icon: Hand },
  deny: { tone: "bad", icon: Ban },
};

const ORIGIN: Record<Schemas["ToolKind"], Look> = {
  code: { tone: "outline", icon: Layers },
  system_override: { tone: "info", icon: UserPen },
  tenant_custom: { tone: "outline", icon: UserPen },
};

export function EgressBadge({ value }: { value: Schemas["EgressClass"] }) {
  const t = useT();
  return <LookBadge look={EGRESS[value]} text={t(`egress.${value}`)} help={t(`egress.${value}.help`)} />;
}

/** A badge whose words are `<name>.<value>` in the messages. */
function badgeOf<Value extends string>(looks: Record<Value, Look>, key: (value: Value) => Parameters<ReturnType<typeof useT>>[0]) {
  return function ValueBadge({ value }: { value: Value }) {
    return <LookBadge look={looks[value]} text={useT()(key(value))} />;
  };
}

export const RiskBadge = badgeOf(RISK, (value) => `risk.${value}`);
export const LifecycleBadge = badgeOf(LIFECYCLE, (value) => `lifecycle.${value}`);
export const StatusBadge = badgeOf(STATUS, (value) => `status.${value}`);
export const ApprovalStatusBadge = badgeOf(APPROVAL, (value) => `approvalStatus.${value}`);
export const PermissionBadge = badgeOf(PERMISSION, (value) => `permission.${value}`);
/** What the rules say of a call. */
export const VerdictBadge = badgeOf(VERDICT, (value) => `verdict.${value}`);
export const OriginBadge = badgeOf(ORIGIN, (value) => `origin.${value}`);

/** The tool asks a person before it runs. */
export function ApprovalBadge() {
  const t = useT();
  return <LookBadge look={{ tone: "warn", icon: Hand }} text={t("approval")} help={t("approval.help")} />;
}

export function MissingSecretBadge({ names }: { names: string[] }) {
  const t = useT();
  if (names.length === 0) return null;
  return <LookBadge look={{ tone: "bad", icon: KeyRound }} text={t("missingSecret", { count: names.length })} help={t("missingSecret.help", { names: names.join(", ") })} />;
}

export function CachedBadge() {
  return <LookBadge look={{ tone: "quiet", icon: Zap }} text={useT()("cached")} />;
}

export function TestBadge() {
  return <LookBadge look={{ tone: "quiet", icon: FlaskConical }} text={useT()("test")} />;
}
