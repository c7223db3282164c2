import { cn } from "@/ui/cn";

import { initials } from "./initials";

/** The policy of our pages lets pictures come from here only: another site must not learn who looks at an agent. */
function isOwn(url: string | null | undefined): url is string {
  if (!url) return false;
  // Agents of older versions may still hold a picture whole, or a path.
  if (url.startsWith("data:image/") || (url.startsWith("/") && !url.startsWith("//"))) return true;
  return URL.canParse(url) && new URL(url).origin === window.location.origin;
}

/** A picture, or the initials. It says nothing that the name beside it does not. */
export function Avatar({ name, picture, className }: { name: string; picture?: string | null; className?: string }) {
  const shape = cn("grid size-8 shrink-0 place-items-center rounded-full bg-info-soft text-xs font-semibold text-info select-none", className);
  if (isOwn(picture)) return <img src={picture} alt="" className={cn(shape, "object-cover")} />;
  return (
    <span aria-hidden className={shape}>
      {initials(name)}
    </span>
  );
}
