import type { ReactElement } from "react";
import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  Cell,
  Legend,
  Line,
  LineChart,
  Pie,
  PieChart,
  PolarAngleAxis,
  PolarGrid,
  PolarRadiusAxis,
  Radar,
  RadarChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";

import { chartConfig, radarConfig, waterfall, type ChartConfig } from "./config";
import { humane, type Row } from "./rows";

const COLOURS = [1, 2, 3, 4, 5].map((number) => `var(--chart-${String(number)})`);
const colour = (index: number) => COLOURS[index % COLOURS.length] ?? "currentColor";
const DASHES = [undefined, "6 3", "2 3", "8 3 2 3", "1 2"];
const axis = { stroke: "var(--muted-foreground)", fontSize: 12, tickLine: false };
const tooltip = {
  contentStyle: { background: "var(--popover)", border: "1px solid var(--border)", borderRadius: 8, color: "var(--popover-foreground)" },
  cursor: { fill: "var(--accent)" },
};

interface Props {
  kind: "chart" | "radar";
  rows: Row[];
  config: Record<string, unknown> | null | undefined;
}

/** A chunk of its own: the drawing library is fetched by the first chart. */
export default function Drawn({ kind, rows, config }: Props) {
  return (
    <ResponsiveContainer width="100%" height="100%">
      {kind === "radar" ? radar(rows, config) : chart(rows, chartConfig(config, rows))}
    </ResponsiveContainer>
  );
}

function frame(x: string) {
  return [
    <CartesianGrid key="grid" stroke="var(--border)" vertical={false} />,
    <XAxis key="x" dataKey={x} {...axis} />,
    <YAxis key="y" width={64} {...axis} axisLine={false} />,
    <Tooltip key="tip" {...tooltip} />,
  ];
}

function legend(y: string[]) {
  return y.length > 1 ? <Legend key="legend" wrapperStyle={{ fontSize: 12 }} /> : null;
}

function chart(rows: Row[], { kind, x, y }: ChartConfig): ReactElement {
  switch (kind) {
    case "line":
      return (
        <LineChart data={rows}>
          {frame(x)}
          {legend(y)}
          {y.map((name, index) => (
            <Line key={name} dataKey={name} name={humane(name)} stroke={colour(index)} strokeWidth={2} strokeDasharray={DASHES[index]} dot={rows.length < 50} isAnimationActive={false} />
          ))}
        </LineChart>
      );
    case "area":
      return (
        <AreaChart data={rows}>
          {frame(x)}
          {legend(y)}
          {y.map((name, index) => (
            <Area key={name} dataKey={name} name={humane(name)} stroke={colour(index)} fill={colour(index)} fillOpacity={0.2} strokeDasharray={DASHES[index]} isAnimationActive={false} />
          ))}
        </AreaChart>
      );
    case "pie":
      return (
        <PieChart>
          <Tooltip {...tooltip} />
          <Legend wrapperStyle={{ fontSize: 12 }} />
          <Pie data={rows} dataKey={y[0] ?? ""} nameKey={x} label isAnimationActive={false}>
            {rows.map((_, index) => (
              <Cell key={index} fill={colour(index)} stroke="var(--background)" />
            ))}
          </Pie>
        </PieChart>
      );
    case "waterfall":
      return (
        <BarChart data={waterfall(rows, x, y[0] ?? "")}>
          {frame("label")}
          <Bar dataKey="base" stackId="one" fill="transparent" tooltipType="none" isAnimationActive={false} />
          <Bar dataKey="size" name={humane(y[0] ?? "")} stackId="one" fill={colour(0)} isAnimationActive={false} />
        </BarChart>
      );
    case "bar":
      return (
        <BarChart data={rows}>
          {frame(x)}
          {legend(y)}
          {y.map((name, index) => (
            <Bar key={name} dataKey={name} name={humane(name)} fill={colour(index)} radius={[3, 3, 0, 0]} maxBarSize={64} isAnimationActive={false} />
          ))}
        </BarChart>
      );
  }
}

function radar(rows: Row[], config: Props["config"]): ReactElement {
  const { label, values, max } = radarConfig(config, rows);
  return (
    <RadarChart data={rows} outerRadius="75%">
      <PolarGrid stroke="var(--border)" />
      <PolarAngleAxis dataKey={label} tick={{ fill: "var(--foreground)", fontSize: 12 }} />
      <PolarRadiusAxis domain={[0, max ?? "auto"]} stroke="var(--muted-foreground)" fontSize={11} />
      <Tooltip {...tooltip} />
      {legend(values)}
      {values.map((name, index) => (
        <Radar key={name} dataKey={name} name={humane(name)} stroke={colour(index)} fill={colour(index)} fillOpacity={0.2} strokeDasharray={DASHES[index]} isAnimationActive={false} />
      ))}
    </RadarChart>
  );
}
