import { Bar, BarChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";

import { useLanguage } from "@/app/i18n";

import { useT } from "../messages";
import type { Day } from "./usage";

const axis = { stroke: "var(--muted-foreground)", fontSize: 11, tickLine: false, axisLine: false };
const box = { background: "var(--popover)", border: "1px solid var(--border)", borderRadius: 8, color: "var(--popover-foreground)", fontSize: 12 };

/** A chunk of its own: the drawing library is fetched by the first chart. */
export default function UsageChart({ days }: { days: Day[] }) {
  const t = useT();
  const language = useLanguage();
  const short = (day: string) => new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart accessibilityLayer={false} data={days} margin={{ top: 4, right: 0, bottom: 0, left: 0 }}>
        <XAxis dataKey="day" tickFormatter={short} minTickGap={40} {...axis} />
        <YAxis width={32} allowDecimals={false} {...axis} />
        <Tooltip contentStyle={box} cursor={{ fill: "var(--accent)" }} labelFormatter={(day) => short(String(day))} />
        <Bar dataKey="calls" name={t("usage.well")} stackId="calls" fill="var(--chart-1)" isAnimationActive={false} />
        <Bar dataKey="errors" name={t("usage.errors")} stackId="calls" fill="var(--chart-3)" isAnimationActive={false} />
      </BarChart>
    </ResponsiveContainer>
  );
}
