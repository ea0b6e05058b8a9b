import type { SoakReport } from '../run-soak.ts';
import type { SeriesKind, SeriesSummary } from '../measure/series-statistics.ts';

const MEGABYTE = 2 ** 20;
const isInBytes = (kind: string): boolean => kind === 'heap' || kind === 'memory' || kind === 'disk';

const number = (value: number): string => Number(value.toFixed(Math.abs(value) < 10 ? 1 : 0)).toLocaleString('en');

/** In megabytes, or as a number. */
const amount = (kind: string, value: number): string =>
  isInBytes(kind) ? `${number(value / MEGABYTE)} MB` : number(value);

const growth = (kind: string, { slope_per_hour, flat }: SeriesSummary): string => {
  const text = `${slope_per_hour < 0 ? '' : '+'}${amount(kind, slope_per_hour)}/h`;
  return flat ? text : `${text}, **not flat**`;
};

const kindOf = ({ name }: SeriesSummary): string => name.slice(name.lastIndexOf(' ') + 1);

export const toText = ({ series, violations, grown_files, ...figures }: SoakReport): string => {
  const lines = Object.entries(figures).map(([key, value]) => `${key.padEnd(26)} ${value}`);
  for (const one of series) {
    const kind = kindOf(one);
    const values = `${amount(kind, one.first)} to ${amount(kind, one.last)}, ${growth(kind, one)}`;
    lines.push(`${one.name.padEnd(26)} ${values.replaceAll('*', '')}`);
  }
  for (const [file, bytes] of Object.entries(grown_files)) lines.push(`${file} grew by ${amount('disk', bytes)}`);
  for (const { kind, detail } of violations) lines.push(`VIOLATION ${kind}: ${detail}`);
  return `${lines.join('\n')}\n`;
};

/** The series of a kind that grows most among the parts whose name starts with `part`. */
const cell = (series: readonly SeriesSummary[], part: string, kind: SeriesKind): string => {
  const own = series.filter(({ name }) => name.startsWith(part) && name.endsWith(` ${kind}`));
  const [steepest] = own.toSorted((a, b) => b.slope_per_hour - a.slope_per_hour);
  return steepest === undefined ? '' : `${amount(kind, steepest.median)}, ${growth(kind, steepest)}`;
};

const kinds = ['heap', 'memory', 'handles', 'threads', 'disk'] as const;

/** A row for bridge, gateway and the controller that grows most. */
export const toTable = ({ series }: SoakReport): string =>
  [
    '| part | live heap | resident memory | handles | threads | disk |',
    '|---|---|---|---|---|---|',
    ...['bridge', 'gateway', 'controller'].map(part => {
      const name = part === 'controller' ? 'controller that grows most' : part;
      return `| ${name} | ${kinds.map(kind => cell(series, part, kind)).join(' | ')} |`;
    }),
  ].join('\n');
