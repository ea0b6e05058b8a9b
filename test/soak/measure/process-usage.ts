import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const KILOBYTE = 1024;

export interface ProcessUsage {
  /** Resident bytes. */
  readonly memory: number;
  readonly handles: number;
  readonly threads: number;
}

/** Usage of a running process, from /proc. */
export const readProcessUsage = (pid: number): ProcessUsage => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const valueOf = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return {
    memory: valueOf('VmRSS') * KILOBYTE,
    threads: valueOf('Threads'),
    handles: readdirSync(`/proc/${pid}/fd`).length,
  };
};

/** Bytes of each file in a folder. A file that disappears meanwhile is left out. */
export const readFileSizes = (folder: string): ReadonlyMap<string, number> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap(name => {
      const stat = statSync(join(folder, name), { throwIfNoEntry: false });
      return stat?.isFile() === true ? [[name, stat.size] as const] : [];
    }),
  );
