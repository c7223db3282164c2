// Where one can go. An area adds its entry here and its label to `messages/*/app.json`; an entry shows when its route exists.
import {
  Bot,
  Boxes,
  Building2,
  ChartColumn,
  Cpu,
  Inbox,
  KeyRound,
  Library,
  ListTree,
  MessagesSquare,
  LockKeyhole,
  PencilRuler,
  Plug,
  Route,
  ScrollText,
  Settings2,
  ShieldCheck,
  SlidersHorizontal,
  UserCog,
  Users,
  Webhook,
  type LucideIcon,
} from "lucide-react";

import type en from "@/messages/en/app.json";

type Key = keyof typeof en;

export interface NavigationEntry {
  to: string;
  label: Key & `nav.${string}`;
  icon: LucideIcon;
  group: "work" | "build" | "operate" | "people";
  /** The second key after `g`. */
  key: string;
  /** Shown to those who hold any of these; the server decides again. */
  needs: string[];
  /** In the bar at the bottom of a phone. */
  phone?: boolean;
  badge?: "approvals";
  /** Only in the installation's own tenant, whose admins look after the others. */
  installation?: boolean;
}

export const NAVIGATION: NavigationEntry[] = [
  { to: "/tools", label: "nav.tools", icon: Library, group: "work", key: "t", needs: ["tools.tenant.read"], phone: true },
  { to: "/inbox", label: "nav.inbox", icon: Inbox, group: "work", key: "i", needs: ["approvals.tenant.decide", "tasks.tenant.work"], phone: true, badge: "approvals" },
  { to: "/chat", label: "nav.chat", icon: MessagesSquare, group: "work", key: "c", needs: ["tools.tenant.execute"], phone: true },
  { to: "/agents", label: "nav.agents", icon: Bot, group: "work", key: "a", needs: ["agents.tenant.read"], phone: true },
  { to: "/invocations", label: "nav.invocations", icon: ListTree, group: "work", key: "v", needs: ["invocations.tenant.read"] },
  { to: "/runs", label: "nav.runs", icon: Route, group: "work", key: "n", needs: ["invocations.tenant.read"] },
  { to: "/admin/tools", label: "nav.authoring", icon: PencilRuler, group: "build", key: "d", needs: ["tools.tenant.create", "tools.tenant.update"] },
  { to: "/operate/profiles", label: "nav.profiles", icon: SlidersHorizontal, group: "build", key: "r", needs: ["agents.tenant.read"] },
  { to: "/operate/mcp-servers", label: "nav.mcpServers", icon: Plug, group: "build", key: "m", needs: ["tools.tenant.read"] },
  { to: "/operate/providers", label: "nav.providers", icon: Cpu, group: "build", key: "q", needs: ["agents.tenant.read"] },
  { to: "/operate/policies", label: "nav.policies", icon: ShieldCheck, group: "operate", key: "p", needs: ["policies.tenant.read"] },
  { to: "/operate/secrets", label: "nav.secrets", icon: LockKeyhole, group: "operate", key: "s", needs: ["secrets.user.update", "secrets.workspace.update", "secrets.tenant.update"] },
  { to: "/operate/keys", label: "nav.keys", icon: KeyRound, group: "operate", key: "k", needs: ["keys.tenant.update"] },
  { to: "/operate/audit", label: "nav.audit", icon: ScrollText, group: "operate", key: "l", needs: ["audit.tenant.read"] },
  { to: "/operate/usage", label: "nav.usage", icon: ChartColumn, group: "operate", key: "u", needs: ["invocations.tenant.read"] },
  { to: "/operate/webhooks", label: "nav.webhooks", icon: Webhook, group: "operate", key: "h", needs: ["webhooks.tenant.update"] },
  { to: "/operate/settings", label: "nav.settings", icon: Settings2, group: "operate", key: "b", needs: ["policies.tenant.read"] },
  { to: "/operate/people", label: "nav.people", icon: Users, group: "people", key: "e", needs: ["people.tenant.read"] },
  { to: "/operate/roles", label: "nav.roles", icon: UserCog, group: "people", key: "o", needs: ["people.tenant.read"] },
  { to: "/operate/workspaces", label: "nav.workspaces", icon: Boxes, group: "people", key: "w", needs: ["people.tenant.read"] },
  { to: "/operate/tenants", label: "nav.tenants", icon: Building2, group: "people", key: "x", needs: ["tenants.server.update"], installation: true },
];

/** The slug of the tenant that every installation begins with. */
export const INSTALLATION = "default";

export const GROUPS = ["work", "build", "operate", "people"] as const;
