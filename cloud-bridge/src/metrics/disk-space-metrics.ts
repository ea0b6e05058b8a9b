import { statfs } from 'node:fs/promises';
import { Counter, Gauge, type Metric } from 'prom-client';
import type { StorageMonitor } from '../storage/storage-monitor.ts';

interface FileSystemSpace {
  readonly free: number;
  readonly size: number;
}

/** Null if the folder cannot be read: the gauge is then absent, which an alert can detect. */
const readSpace = async (folder: string): Promise<FileSystemSpace | null> => {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return null;
  }
};

const spaceGauge = (name: string, help: string, read: () => Promise<number | undefined>): Metric =>
  new Gauge({
    name,
    help,
    registers: [],
    async collect() {
      const bytes = await read();
      if (bytes === undefined) this.remove();
      else this.set(bytes);
    },
  });

/** Space of the file system of the data folder, and writes that failed for lack of space. */
export const createStorageMetrics = (dataDir: string, monitor: StorageMonitor): Metric[] => [
  spaceGauge(
    'lintel_data_free_bytes',
    'Free bytes of the file system of the data folder',
    async () => (await readSpace(dataDir))?.free,
  ),
  spaceGauge(
    'lintel_data_size_bytes',
    'Size of the file system of the data folder',
    async () => (await readSpace(dataDir))?.size,
  ),
  new Gauge({
    name: 'lintel_storage_full',
    help: '1 while the database rejects writes for lack of space, otherwise 0',
    registers: [],
    collect() {
      this.set(monitor.isFull ? 1 : 0);
    },
  }),
  new Gauge({
    name: 'lintel_storage_failing',
    help: '1 while the disk of the database reports errors, is read-only, or the database is damaged, otherwise 0',
    registers: [],
    collect() {
      this.set(monitor.isFailing ? 1 : 0);
    },
  }),
  new Counter({
    name: 'lintel_storage_full_errors_total',
    help: 'Statements that failed for lack of space',
    registers: [],
    collect() {
      this.reset();
      this.inc(monitor.fullErrors);
    },
  }),
];
