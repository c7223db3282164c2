import { Link } from "@tanstack/react-router";

import { useT } from "../messages";

/** The calls that it made and that have not ended, or the task that somebody works on. */
export function WaitsFor({ ids }: { ids: string[] }) {
  const t = useT();
  if (ids.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-x-3 text-sm text-muted-foreground">
      {ids.map((id) => (
        <li key={id}>
          {id.startsWith("inv_") ? (
            <Link to="." search={(search) => ({ ...search, invocation: id })} className="text-link hover:underline">
              {t("waitsFor.call")}
            </Link>
          ) : (
            <Link to="/inbox" search={{ show: "tasks" }} className="text-link hover:underline">
              {t("waitsFor.task")}
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}
