import type { Agent } from "@/api/queries";
import { cn } from "@/ui/cn";

/** The policy of our pages lets pictures come from here only: another site must not learn who looks at an agent. */
function isOwn(url: string | null | undefined): url is string {
  if (!url) return false;
  return url.startsWith("data:image/") || (url.startsWith("/") && !url.startsWith("//"));
}

export function initials(name: string): string {
  const words = name.split(/[\s._-]+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters.map((word) => [...(word ?? "")][0] ?? "").join("").toUpperCase() || "?";
}

/** Its picture, or its initials. The name always stands beside it. */
export function AgentAvatar({ agent, className }: { agent: Pick<Agent, "display_name" | "avatar_url">; className?: string }) {
  const shape = cn("grid size-8 shrink-0 place-items-center rounded-full bg-info-soft text-xs font-semibold text-info", className);
  if (isOwn(agent.avatar_url)) return <img src={agent.avatar_url} alt="" className={cn(shape, "object-cover")} />;
  return (
    <span aria-hidden className={shape}>
      {initials(agent.display_name)}
    </span>
  );
}
