import type { Log } from '@lintel/service/log-function-type';

const MOST_LINES = 500;
const LONGEST_LINE = 500;

/** Keeps the last lines of a log. */
export const createLogWithTail = (
  log: Log,
  now: () => Date,
): { readonly log: Log; readonly tail: () => readonly string[] } => {
  const lines: string[] = [];
  return {
    log: (level, message, facts) => {
      const suffix = facts === undefined ? '' : ` ${JSON.stringify(facts)}`;
      lines.push(`${now().toISOString()} ${level} ${message}${suffix}`.slice(0, LONGEST_LINE));
      if (lines.length > MOST_LINES) lines.shift();
      log(level, message, facts);
    },
    tail: () => [...lines],
  };
};
