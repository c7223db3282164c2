import { Link } from "@tanstack/react-router";
import type { ComponentProps } from "react";

type AreaLinkProps = Omit<ComponentProps<"a">, "href"> & { to: string; search: Record<string, string> };

/** Like `PathLink`, with search parameters: a link into another area, by its address only. */
export function AreaLink({ to, search, ...props }: AreaLinkProps) {
  return <Link {...props} to={to as "/"} search={search as never} />;
}
