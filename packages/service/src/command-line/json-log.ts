import type { Log } from '../log.ts';
import type { CommandStreams } from './cli-command.ts';

/** One JSON document per line on stderr. */
export const createJsonLog =
  ({ stderr }: Pick<CommandStreams, 'stderr'>): Log =>
  (level, message, facts = {}) => {
    stderr.write(`${JSON.stringify({ level, message, ...facts })}\n`);
  };
