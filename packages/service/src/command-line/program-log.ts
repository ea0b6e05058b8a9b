import type { Log } from '../log-function-type.ts';
import { type CommandStreams, UsageError } from './cli-command.ts';

/** `json`: one JSON document per line. `text`: for people. */
export type LogFormat = 'json' | 'text';

export const LOG_FORMAT_HELP = 'json (default: one JSON document per line on stderr) or text';

/** Throws a UsageError. */
export const parseLogFormat = (value: string | undefined): LogFormat => {
  if (value === undefined || value === 'json' || value === 'text') return value ?? 'json';
  throw new UsageError('--log-format must be json or text');
};

/** The fields of every log line. All others are named by the program. */
interface LogLine extends Readonly<Record<string, unknown>> {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly level: string;
  readonly msg: string;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);

/** A log line for people: time, level, message, then the other fields. A stack trace follows on lines of its own. */
export const formatTextLogLine = ({ time, level, msg, ...fields }: LogLine): string => {
  const errors = Object.values(fields).flatMap(value => (value as { readonly stack?: string } | null)?.stack ?? []);
  const facts = Object.entries(fields).map(([name, value]) => {
    const { message, stack } = (value ?? {}) as { readonly message?: string; readonly stack?: string };
    return ` ${name}=${textOf(stack === undefined ? value : message)}`;
  });
  return [`${time} ${level.padEnd(5)} ${msg}${facts.join('')}`, ...errors].join('\n');
};

/** The log of a program, on stderr: JSON lines with `time`, `level`, `msg` and named fields, or text. */
export const createProgramLog =
  ({ stderr }: Pick<CommandStreams, 'stderr'>, format: LogFormat, now: () => Date): Log =>
  (level, msg, facts = {}) => {
    const line = { time: now().toISOString(), level, msg, ...facts };
    stderr.write(`${format === 'json' ? JSON.stringify(line) : formatTextLogLine(line)}\n`);
  };
