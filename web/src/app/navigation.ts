// Where one can go. An area adds its entry here and its label to `messages/*/app.json`; an entry shows when its route exists.
import {
  Bot,
  ChartColumn,
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
  ShieldCheck,
  SlidersHorizontal,
  type LucideIcon,
} from "lucide-react";

import type en from "@/messages/en/app.json";

type Key = keyof typeof en;

export interface NavigationEntry {
  to: string;
  label: Key & `nav.${string}`;
  icon: LucideIcon;
  group: "work" | "build" | "operate";
  /** The second key after `g`. */
  key: string;
  /** Shown to those who hold any of these; the server decides again. */
  needs: string[];
  /** In the bar at the bottom of a phone. */
  phone?: boolean;
  badge?: "approvals";
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
  { to: "/operate/policies", label: "nav.policies", icon: ShieldCheck, group: "operate", key: "p", needs: ["policies.tenant.read"] },
  { to: "/operate/secrets", label: "nav.secrets", icon: LockKeyhole, group: "operate", key: "s", needs: ["secrets.user.update", "secrets.workspace.update", "secrets.tenant.update"] },
  { to: "/operate/keys", label: "nav.keys", icon: KeyRound, group: "operate", key: "k", needs: ["keys.tenant.update"] },
  { to: "/operate/audit", label: "nav.audit", icon: ScrollText, group: "operate", key: "l", needs: ["audit.tenant.read"] },
  { to: "/operate/usage", label: "nav.usage", icon: ChartColumn, group: "operate", key: "u", needs: ["invocations.tenant.read"] },
];

export const GROUPS = ["work", "build", "operate"] as const;
