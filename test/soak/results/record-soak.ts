import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { writeGeneratedSection } from '../../bench/results/generated-section.ts';
import { warmUpOf } from '../measure/series-statistics.ts';
import type { SoakResult } from '../run-soak.ts';
import { plotSeries } from './series-plot.ts';
import { toTable } from './soak-report-text.ts';

const MARKERS = [
  '<!-- Soak results: written by npm run soak -- --record -->',
  '<!-- End of the soak results -->',
] as const;
const MEGABYTE = 2 ** 20;

const NEEDED_MINUTES = 60;
const tooShort = `**This run is too short for a result.** In the first minutes the heaps still grow. Run the soak for ${NEEDED_MINUTES} minutes.

`;

const plots = [
  { kind: 'heap', title: 'Live heap after a garbage collection, MB', unit: MEGABYTE },
  { kind: 'memory', title: 'Resident memory, MB', unit: MEGABYTE },
  { kind: 'handles', title: 'Open files and sockets', unit: 1 },
  { kind: 'disk', title: 'Disk without the history of the bridge, MB', unit: MEGABYTE },
] as const;

/** Writes the plots and the generated part of `docs/reliability.md`. */
export const recordSoak = (docs: string, { report, series }: SoakResult, date: string): void => {
  const { seed, database, minutes, presentations, grants, changes, reads, events, violations } = report;
  const warmUp_ms = warmUpOf(minutes * 60_000);
  for (const { kind, title, unit } of plots) {
    const svg = plotSeries({ title, series: series.filter(one => one.kind === kind), unit, warmUp_ms });
    writeFileSync(join(docs, `images/soak-${kind}.svg`), svg);
  }
  const count = (value: number): string => value.toLocaleString('en');
  const section = `${date}, seed ${seed}, ${database}, ${minutes} minutes on ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}) with a load
average of ${loadavg()[2]!.toFixed(1)}: ${count(presentations)} presentations, ${count(grants)} grants, ${count(changes)} changes, ${count(reads)} reads, ${count(events)} events,
${violations.length} violations. The history of the bridge takes ${count(report.history_bytes_per_event)} bytes per event.

${minutes < NEEDED_MINUTES ? tooShort : ''}${toTable(report)}

${plots.map(({ kind, title }) => `![${title}, over the minutes of the run](images/soak-${kind}.svg)`).join('\n\n')}
`;
  writeGeneratedSection(join(docs, 'reliability.md'), MARKERS, section);
};
