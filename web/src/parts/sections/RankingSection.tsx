import { ranked, rankingConfig } from "./config";
import { useT } from "./messages";
import type { Row } from "./rows";
import { TableSection } from "./TableSection";
import { Value } from "./Value";

const MAX_PLACES = 50;

/** Places with bars; a long ranking is a table. */
export function RankingSection({ rows, label, config }: { rows: Row[]; label: string; config: Record<string, unknown> | null | undefined }) {
  const t = useT();
  if (rows.length === 0) return <p className="text-sm text-muted-foreground">{t("emptySection")}</p>;
  const names = rankingConfig(config, rows);
  const sorted = ranked(rows, names.value);
  if (sorted.length > MAX_PLACES) return <TableSection rows={sorted} label={label} />;
  const most = Math.max(...sorted.map((row) => Math.abs(Number(row[names.value]) || 0)), 1e-9);
  return (
    <ol className="flex flex-col gap-2">
      {sorted.map((row, index) => {
        const number = Number(row[names.value]) || 0;
        return (
          <li key={index} className="grid grid-cols-[1.75rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1">
            <span className="text-right text-sm text-muted-foreground tabular-nums">{index + 1}</span>
            <span className="min-w-0 truncate font-medium">
              <Value value={row[names.label]} />
            </span>
            <span className="text-right text-sm">
              <Value value={row[names.value]} />
            </span>
            <span aria-hidden className="col-start-2 col-end-4 h-1.5 overflow-hidden rounded-full bg-muted">
              <span
                className={`block h-full rounded-full ${number < 0 ? "bg-chart-3" : "bg-chart-1"}`}
                style={{ width: `${String(Math.max(1, (Math.abs(number) / most) * 100))}%` }}
              />
            </span>
            {names.text !== undefined && (
              <span className="col-start-2 col-end-4 text-sm text-muted-foreground">
                <Value value={row[names.text]} />
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
