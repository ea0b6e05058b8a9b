import type { CommandWriter } from '@lintel/service/command-line/cli-command';
import { formatTextLogLine, type LogFormat } from '@lintel/service/command-line/program-log';
import pino from 'pino';

/** For people: slower than JSON, and not meant for a server with load. */
const textDestination = (stderr: CommandWriter): CommandWriter => ({
  write: line => stderr.write(`${formatTextLogLine(JSON.parse(line) as Parameters<typeof formatTextLogLine>[0])}\n`),
});

/** The same lines as the log of the other programs: `time`, `level`, `msg` and named fields. */
export const createBridgeLogger = (stderr: CommandWriter, level: string, format: LogFormat): pino.Logger => {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: label => ({ level: label }) },
  };
  if (format === 'text') return pino(options, textDestination(stderr));
  return pino(options, stderr === process.stderr ? pino.destination(2) : stderr);
};
