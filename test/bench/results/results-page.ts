import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeGeneratedSection } from './generated-section.ts';
import { plotRatios } from './ratio-plot.ts';
import { hasReachedGoal, summarizeRatios, type RatioSummary } from './ratio-summary.ts';
import type { RecordedRun } from './recorded-run.ts';

const START = '<!-- Results: written by npm run bench -- NAME --record -->';
const END = '<!-- End of the results -->';

const number = (value: number): string =>
  (Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3))).toLocaleString('en');

const goalOf = (summary: RatioSummary): string => {
  if (summary.goal === null) return '';
  const limit = `${summary.isSmallerBetter ? '≤' : '≥'} ${number(summary.goal)}`;
  return hasReachedGoal(summary) ? limit : `${limit}, **not reached**`;
};

const ratioRow = (summary: RatioSummary): string => {
  const { benchmark, ratio, isSmallerBetter, median, least, most, runs } = summary;
  const spread = runs === 1 ? '' : `${number(least)} to ${number(most)}`;
  const better = isSmallerBetter ? 'smaller' : 'larger';
  return `| \`${benchmark}\` | \`${ratio}\` | ${number(median)} | ${spread} | ${runs} | ${better} | ${goalOf(summary)} |`;
};

const figureRow = ({ name, date, load, figures }: RecordedRun): string => {
  const values = Object.entries(figures).map(([key, value]) => `\`${key}\` ${number(value)}`);
  return `| \`${name}\` | ${values.join(', ')} | ${number(load)} | ${date} |`;
};

const machineSection = (runs: readonly RecordedRun[], plot: string): string => {
  const { cpu, cores, memory_gb, arch, node } = runs.at(-1)!.machine;
  const newest = [...Map.groupBy(runs, ({ name }) => name).values()].map(own => own.at(-1)!);
  return `### ${cpu}, ${arch}

${cores} cores, ${memory_gb} GB, Node ${node}. "Spread" is the range over the recorded runs, "load" the load average of the
machine before the newest run: on two cores a value above 0.5 means that other work disturbed it.

![Ratios on a logarithmic axis with their spread and goal](${plot})

| benchmark | ratio | median | spread | runs | better is | goal |
|---|---|---|---|---|---|---|
${summarizeRatios(runs).map(ratioRow).join('\n')}

| benchmark | figures of the newest run | load | date |
|---|---|---|---|
${newest.map(figureRow).join('\n')}
`;
};

const machineKey = ({ machine }: RecordedRun): string => `${machine.arch} ${machine.cpu}`;

const plotName = (key: string): string =>
  `benchmarks-${key
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}.svg`;

/** Writes the generated part of `docs/developer/benchmarks.md` and its plots. */
export const writeResultsPage = (docs: string, runs: readonly RecordedRun[]): void => {
  mkdirSync(join(docs, 'images'), { recursive: true });
  const sections = [...Map.groupBy(runs, machineKey)].map(([key, own]) => {
    const plot = plotName(key);
    const svg = plotRatios(summarizeRatios(own), `Ratios of the benchmarks on ${key}`);
    writeFileSync(join(docs, 'images', plot), svg);
    return machineSection(own, `../images/${plot}`);
  });
  writeGeneratedSection(join(docs, 'developer/benchmarks.md'), [START, END], sections.join('\n'));
};
