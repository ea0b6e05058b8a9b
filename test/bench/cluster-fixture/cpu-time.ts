import { readdirSync, readFileSync } from 'node:fs';

/** Of the kernel; the same on all Linux systems that Node supports. */
const TICKS_PER_SECOND = 100;

interface ProcessTimes {
  readonly parent: number;
  readonly own: number;
  /** Children that have ended. */
  readonly ended: number;
}

const readTimes = (pid: number): ProcessTimes | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain spaces.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { parent: fields[1]!, own: fields[11]! + fields[12]!, ended: fields[13]! + fields[14]! };
  } catch {
    return null;
  }
};

export const parentOf = (pid: number): number => readTimes(pid)?.parent ?? 0;

/** Processor seconds of a process. */
export const cpuSeconds = (pid: number): number => (readTimes(pid)?.own ?? 0) / TICKS_PER_SECOND;

/** Processor seconds of a process and its children, such as PostgreSQL with its connections. */
export const cpuSecondsWithChildren = (pid: number): number => {
  const own = readTimes(pid);
  if (own === null) return 0;
  const children = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(name => readTimes(Number(name)))
    .filter(times => times?.parent === pid);
  return (own.own + own.ended + children.reduce((sum, times) => sum + (times?.own ?? 0), 0)) / TICKS_PER_SECOND;
};
