import { Link } from "@tanstack/react-router";
import type { ComponentProps } from "react";

type PathLinkProps = Omit<ComponentProps<"a">, "href"> & { path: string };

/**
 * A link to a page of another area by its path, where the typed `Link` would tie the areas together. While one is on that page or
 * below it, it is `data-status="active"` and `aria-current="page"`.
 */
export function PathLink({ path, ...props }: PathLinkProps) {
  return <Link {...props} to={path as "/"} activeOptions={{ includeSearch: false }} />;
}
