import { Bot, Box, Braces, Globe, House, ListChecks, Plug, Search, Sparkles, Workflow, Wrench } from "lucide-react";
import { createElement } from "react";

const ICONS = {
  house: House,
  builtin: Box,
  http: Globe,
  python: Braces,
  prompt: Sparkles,
  task: ListChecks,
  composition: Workflow,
  search: Search,
  agent: Bot,
  agent_action: Bot,
  mcp: Plug,
  mcp_read: Plug,
};

/** A sign for how a tool runs. Kinds that this page does not know yet have one as well. */
export function KindIcon({ kind, className }: { kind: string | undefined; className?: string }) {
  const icon = kind !== undefined && kind in ICONS ? ICONS[kind as keyof typeof ICONS] : Wrench;
  return createElement(icon, { "aria-hidden": true, className });
}
