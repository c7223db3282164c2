import { Link } from "@tanstack/react-router";
import type { ComponentProps } from "react";

type PathLinkProps = Omit<ComponentProps<"a">, "href"> & { path: string; activeProps?: { className: string } };

/** A link to a page of another area by its path, where the typed `Link` would tie the areas together. */
export function PathLink({ path, activeProps, ...props }: PathLinkProps) {
  return <Link {...props} to={path as "/"} activeProps={activeProps} activeOptions={{ includeSearch: false }} />;
}
