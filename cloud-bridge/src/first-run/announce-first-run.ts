import type { CommandWriter } from '@lintel/service/command-line/cli-command';
import type { RetryDuringOutage } from '../storage/outage-retry.ts';
import type { FirstRunSetup } from './first-run-setup.ts';

interface InfoLog {
  info(message: string): void;
}

/** The lines in a box, for a terminal. */
const formatBox = (lines: readonly string[]): string => {
  const width = Math.max(...lines.map(line => line.length));
  const edge = '─'.repeat(width + 4);
  return [`┌${edge}┐`, ...lines.map(line => `│  ${line.padEnd(width)}  │`), `└${edge}┘`, ''].join('\n');
};

/** Prints how to create the first account, until one exists. Waits while the database is away. */
export const announceFirstRun = async (
  firstRun: FirstRunSetup,
  retry: RetryDuringOutage,
  log: InfoLog,
  stderr: CommandWriter,
): Promise<void> => {
  if (!(await retry(() => firstRun.isPending()))) return;
  const { url } = firstRun;
  log.info(`No account exists. Open ${url} to create one`);
  if (stderr.isTTY === true)
    stderr.write(formatBox(['Welcome to Lintel. Open this link to set it up:', '', url, '', 'It works once.']));
};
