import { svgDocument } from '../../bench/results/svg-document.ts';
import type { UsageSeries } from '../measure/series-statistics.ts';

const WIDTH = 760;
const HEIGHT = 280;
const LEFT = 56;
const RIGHT = WIDTH - 16;
const TOP = 44;
const BOTTOM = HEIGHT - 40;
const MOST_POINTS = 180;
const STEPS = [1, 2, 5, 10];
const FEWEST_TICKS = 4;
const MINUTE_MS = 60_000;

const style = `
  text { font: 12px system-ui, sans-serif; fill: #24292f; }
  .axis { stroke: #d0d7de; } .warm-up { fill: #eaeef2; }
  polyline, .key { fill: none; stroke-width: 1.8; }
  .controllers { stroke: #8c959f; stroke-width: 1; } .gateway { stroke: #bc4c00; } .bridge { stroke: #0969da; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .axis { stroke: #30363d; } .warm-up { fill: #21262d; }
    .controllers { stroke: #6e7681; } .gateway { stroke: #f0883e; } .bridge { stroke: #58a6ff; }
  }`;

const groupOf = (part: string): string => (part.startsWith('controller') ? 'controllers' : part);

/** A round distance of at least four marks up to `most`. */
const tickStep = (most: number): number => {
  const power = 10 ** Math.floor(Math.log10(most / FEWEST_TICKS));
  return power * (STEPS.findLast(step => power * step * FEWEST_TICKS <= most) ?? 1);
};

const ticksUpTo = (most: number): number[] => {
  const step = tickStep(most);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => Number((index * step).toPrecision(6)));
};

export interface SeriesPlot {
  readonly title: string;
  readonly series: readonly UsageSeries[];
  /** What one unit of the axis is, such as 1 MB. */
  readonly unit: number;
  readonly warmUp_ms: number;
}

/** Values over the minutes of a run, one line for each process. */
export const plotSeries = ({ title, series, unit, warmUp_ms }: SeriesPlot): string => {
  const points = series.flatMap(one => one.points);
  const lastAt = Math.max(1, ...points.map(([at]) => at));
  const most = 1.05 * Math.max(1e-6, ...points.map(([, value]) => value / unit));
  const x = (at: number): string => (LEFT + (at / lastAt) * (RIGHT - LEFT)).toFixed(1);
  const y = (value: number): string => (BOTTOM - (value / most) * (BOTTOM - TOP)).toFixed(1);
  const rows = ticksUpTo(most).map(
    value =>
      `<line class="axis" x1="${LEFT}" x2="${RIGHT}" y1="${y(value)}" y2="${y(value)}"/><text x="${LEFT - 8}" y="${Number(y(value)) + 4}" text-anchor="end">${value}</text>`,
  );
  const columns = ticksUpTo(lastAt / MINUTE_MS).map(
    minute => `<text x="${x(minute * MINUTE_MS)}" y="${BOTTOM + 18}" text-anchor="middle">${minute}</text>`,
  );
  const lines = series.map(({ part, points: own }) => {
    const every = Math.ceil(own.length / MOST_POINTS);
    const kept = own.filter((_, index) => index % every === 0);
    return `<polyline class="${groupOf(part)}" points="${kept.map(([at, value]) => `${x(at)},${y(value / unit)}`).join(' ')}"/>`;
  });
  const keys = [...new Set(series.map(({ part }) => groupOf(part)))].map((group, index) => {
    const at = LEFT + index * 110;
    return `<line class="key ${group}" x1="${at}" x2="${at + 20}" y1="34" y2="34"/><text x="${at + 26}" y="38">${group}</text>`;
  });
  return svgDocument([WIDTH, HEIGHT], title, style, [
    `<text x="${LEFT}" y="18">${title}</text>`,
    `<rect class="warm-up" x="${LEFT}" y="${TOP}" width="${(Number(x(warmUp_ms)) - LEFT).toFixed(1)}" height="${BOTTOM - TOP}"/>`,
    ...rows,
    ...columns,
    `<text x="${RIGHT}" y="${HEIGHT - 6}" text-anchor="end">minutes</text>`,
    ...keys,
    // The many controllers are behind the two others.
    ...lines.toReversed(),
  ]);
};
