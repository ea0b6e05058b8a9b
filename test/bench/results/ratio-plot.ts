import { hasReachedGoal, type RatioSummary } from './ratio-summary.ts';
import { svgDocument } from './svg-document.ts';

const WIDTH = 760;
const LABEL_WIDTH = 250;
const RIGHT_MARGIN = 70;
const ROW_HEIGHT = 22;
const TOP = 34;

const style = `
  text { font: 12px system-ui, sans-serif; fill: #24292f; }
  .axis { stroke: #d0d7de; } .one { stroke: #57606a; }
  .range { stroke: #57606a; stroke-width: 3; } .median { fill: #0969da; } .missed { fill: #cf222e; }
  .goal { stroke: #1a7f37; stroke-width: 2; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .axis { stroke: #30363d; } .one, .range { stroke: #8b949e; }
    .median { fill: #58a6ff; } .missed { fill: #ff7b72; } .goal { stroke: #3fb950; }
  }`;

const powerLabel = (power: number): string => (10 ** power).toLocaleString('en', { maximumFractionDigits: 6 });

/** Ratios on a logarithmic axis: the line from the least to the most, the dot at the median, the goal as a bar. */
export const plotRatios = (summaries: readonly RatioSummary[], title: string): string => {
  const values = summaries.flatMap(({ least, most, goal }) => [least, most, goal ?? least, 1]);
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values))));
  const x = (value: number): string => {
    const share = (Math.log10(value) - first) / (last - first);
    return (LABEL_WIDTH + share * (WIDTH - LABEL_WIDTH - RIGHT_MARGIN)).toFixed(1);
  };
  const bottom = TOP + summaries.length * ROW_HEIGHT;
  const axes = Array.from({ length: last - first + 1 }, (_, index) => {
    const at = x(10 ** (first + index));
    const kind = first + index === 0 ? 'one' : 'axis';
    return `<line class="${kind}" x1="${at}" x2="${at}" y1="${TOP - 6}" y2="${bottom}"/><text x="${at}" y="${TOP - 12}" text-anchor="middle">${powerLabel(first + index)}</text>`;
  });
  const rows = summaries.map((summary, index) => {
    const { benchmark, ratio, least, most, goal } = summary;
    const y = TOP + index * ROW_HEIGHT + ROW_HEIGHT / 2;
    const bar = goal === null ? '' : `<line class="goal" x1="${x(goal)}" x2="${x(goal)}" y1="${y - 8}" y2="${y + 8}"/>`;
    const dot = hasReachedGoal(summary) ? 'median' : 'median missed';
    return `<text x="8" y="${y + 4}">${benchmark} ${ratio}</text><line class="range" x1="${x(least)}" x2="${x(most)}" y1="${y}" y2="${y}"/>${bar}<circle class="${dot}" cx="${x(summary.median)}" cy="${y}" r="4.5"/><text x="${WIDTH - 8}" y="${y + 4}" text-anchor="end">${Number(summary.median.toPrecision(3))}</text>`;
  });
  return svgDocument([WIDTH, bottom + 8], title, style, [...axes, ...rows]);
};
