import type { CommandWriter } from './cli-command.ts';

/** Called with the name of the current step, and how much of it is done. A total of 0 or none is unknown. */
export type ReportProgress = (step: string, done?: number, total?: number, unit?: 'bytes') => void;

export interface ProgressLine extends Disposable {
  readonly report: ReportProgress;
}

export interface ProgressOptions {
  readonly stderr: CommandWriter & { readonly columns?: number };
  /** Shows nothing, as with `--json`. */
  readonly isQuiet?: boolean;
  /** In milliseconds. */
  readonly now?: () => number;
}

export const reportNothing: ReportProgress = () => undefined;

const REDRAW_MS = 100;
/** A rate over a shorter time says little. */
const RATE_AFTER_MS = 1000;
const MIN_COLUMNS = 40;
const CLEAR_LINE = '\r\u001B[K';

const formatBytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const formatCount = (count: number): string => Math.round(count).toLocaleString('en-US');

/**
 * One line on a terminal that is rewritten, with the step, how much is done, and the rate. Nothing on a pipe or in a file.
 * Disposing it leaves an empty line, also when Ctrl-C ends the process.
 */
export const openProgressLine = ({
  stderr,
  isQuiet = false,
  now = () => performance.now(),
}: ProgressOptions): ProgressLine => {
  if (stderr.isTTY !== true || isQuiet) return { report: reportNothing, [Symbol.dispose]: () => undefined };
  let current = { step: '', at: 0, done: 0 };
  let drawnAt = Number.NEGATIVE_INFINITY;
  const describe = (step: string, done: number, total: number, format: (amount: number) => string): string => {
    const amount = total > 0 ? ` ${Math.floor((100 * done) / total)} %, ${format(done)} of ${format(total)}` : '';
    const counted = total > 0 || done === 0 ? amount : ` ${format(done)}`;
    const elapsed = drawnAt - current.at;
    const isRateKnown = done > current.done && elapsed >= RATE_AFTER_MS;
    return `${step}${counted}${isRateKnown ? `, ${format((1000 * (done - current.done)) / elapsed)}/s` : ''}`;
  };
  const stop = (): void => {
    process.off('SIGINT', interrupt);
    if (drawnAt > Number.NEGATIVE_INFINITY) stderr.write(CLEAR_LINE);
  };
  const interrupt = (): void => {
    stop();
    // Without a listener it ends the process, as it would have without this line.
    process.kill(process.pid, 'SIGINT');
  };
  process.once('SIGINT', interrupt);
  return {
    report: (step, done = 0, total = 0, unit) => {
      const time = now();
      if (step !== current.step) current = { step, at: time, done };
      else if (time - drawnAt < REDRAW_MS) return;
      drawnAt = time;
      // Some terminals say that they have none.
      const width = Math.max(stderr.columns ?? 0, MIN_COLUMNS) - 1;
      stderr.write(
        `${CLEAR_LINE}${describe(step, done, total, unit === 'bytes' ? formatBytes : formatCount).slice(0, width)}`,
      );
    },
    [Symbol.dispose]: stop,
  };
};
