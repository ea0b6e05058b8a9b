import type { CampaignSystem } from '../../faults/campaign/system/campaign-system.ts';
import { readDatabaseSize, SQLITE_FILE } from './database-size.ts';
import { readFileSizes, readProcessUsage } from './process-usage.ts';
import type { Point, UsageSeries, SeriesKind } from './series-statistics.ts';

/**
 * Tables of the bridge that keep a row for each event or change until a retention time ends, or for ever. They grow by
 * design, and are reported as bytes per event.
 */
const historyTables: ReadonlySet<string> = new Set([
  'events',
  'webhook_deliveries',
  'access_changes',
  'idempotency_keys',
  'members',
  'member_cards',
  'cards',
  'member_group_associations',
]);

export interface HistorySize {
  readonly at: number;
  readonly bytes: number;
  readonly events: number;
}

const MOST_FILES = 5;
const sumOf = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0);

/** Reads memory, handles, threads and disk of all parts of a system. */
export class UsageSampler {
  readonly #system: CampaignSystem;
  readonly #start = performance.now();
  readonly #series = new Map<string, UsageSeries & { readonly points: Point[] }>();
  /** By part and name. */
  readonly #files = new Map<string, Point[]>();
  readonly history: HistorySize[] = [];

  constructor(system: CampaignSystem) {
    this.#system = system;
  }

  get series(): readonly UsageSeries[] {
    return [...this.#series.values()];
  }

  async sample(): Promise<void> {
    const at = performance.now() - this.#start;
    for (const part of this.#system.parts) {
      const { name, pid } = part;
      // A part that has ended is a violation.
      if (pid === null) continue;
      const heap = await part.liveHeap();
      if (heap !== null) this.#add(name, 'heap', at, heap);
      for (const [kind, value] of Object.entries(readProcessUsage(pid))) this.#add(name, kind as SeriesKind, at, value);
    }
    const current = await this.#sampleDatabase(at);
    for (const [name, folder] of this.#system.dataFolders) {
      const sizes = readFileSizes(folder);
      for (const [file, size] of sizes) {
        const key = `${name} ${file}`;
        this.#files.set(key, [...(this.#files.get(key) ?? []), [at, size]]);
      }
      const isBridge = name === this.#system.bridge.name;
      const counted = [...sizes].filter(([file]) => !isBridge || file !== SQLITE_FILE).map(([, size]) => size);
      this.#add(name, 'disk', at, sumOf(counted) + (isBridge ? current : 0));
    }
    const statuses = await Promise.all(this.#system.controllers.map(controller => controller.status()));
    this.#add('controllers', 'backlog', at, sumOf(statuses.map(status => status?.waiting ?? 0)));
  }

  /** Returns the bytes of the tables without history. */
  async #sampleDatabase(at: number): Promise<number> {
    const { databaseUrl, bridgeDir } = this.#system;
    const { tables, events } = await readDatabaseSize(databaseUrl, bridgeDir);
    const [history = [], current = []] = [true, false].map(isHistory =>
      Object.entries(tables).flatMap(([name, bytes]) => (historyTables.has(name) === isHistory ? [bytes] : [])),
    );
    this.history.push({ at, bytes: sumOf(history), events });
    return sumOf(current);
  }

  /** The files that have grown most since this time, in bytes. */
  grownFiles(since: number): Readonly<Record<string, number>> {
    const grown = [...this.#files].map(([name, points]): [string, number] => {
      const first = points.find(([at]) => at >= since);
      return [name, (points.at(-1)?.[1] ?? 0) - (first?.[1] ?? 0)];
    });
    const largest = grown.filter(([, bytes]) => bytes > 0).toSorted(([, a], [, b]) => b - a);
    return Object.fromEntries(largest.slice(0, MOST_FILES));
  }

  #add(part: string, kind: SeriesKind, at: number, value: number): void {
    const key = `${part} ${kind}`;
    const series = this.#series.get(key) ?? { part, kind, points: [] };
    series.points.push([at, value]);
    this.#series.set(key, series);
  }
}
