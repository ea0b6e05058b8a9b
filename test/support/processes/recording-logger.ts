import type { BridgeOptions } from '@lintel/cloud-bridge/main';

type Logger = Exclude<BridgeOptions['logger'], false>;

export type RecordedLogLine = Readonly<Record<string, unknown>> & { readonly level: string };

/** A logger that keeps its lines, for tests of what an operator sees in the log. */
export class RecordingLogger implements Logger {
  readonly lines: RecordedLogLine[];
  level = 'info';

  constructor(lines: RecordedLogLine[] = []) {
    this.lines = lines;
  }

  #keep(level: string, given: unknown, message: unknown): void {
    const fields = typeof given === 'object' && given !== null ? given : { message: given };
    this.lines.push({ ...fields, ...(message === undefined ? {} : { message }), level });
  }

  fatal = (given: unknown, message?: unknown): void => this.#keep('fatal', given, message);
  error = (given: unknown, message?: unknown): void => this.#keep('error', given, message);
  warn = (given: unknown, message?: unknown): void => this.#keep('warn', given, message);
  info = (given: unknown, message?: unknown): void => this.#keep('info', given, message);
  debug = (given: unknown, message?: unknown): void => this.#keep('debug', given, message);
  trace = (given: unknown, message?: unknown): void => this.#keep('trace', given, message);
  silent = (): void => undefined;

  child(): RecordingLogger {
    return new RecordingLogger(this.lines);
  }

  /** The audit lines of one event. */
  audits(event: string): RecordedLogLine[] {
    return this.lines.filter(line => line['audit'] === event);
  }
}
