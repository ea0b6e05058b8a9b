import { describe, expect, it } from 'vitest';
import { UsageError } from './cli-command.ts';
import { createProgramLog, formatTextLogLine, type LogFormat, parseLogFormat } from './program-log.ts';

const time = '2026-06-01T10:00:00.000Z';

describe('createProgramLog', () => {
  const linesOf = (format: LogFormat): string[] => {
    const written: string[] = [];
    const log = createProgramLog({ stderr: { write: text => written.push(text) } }, format, () => new Date(time));
    log('warn', 'The disk is\nfull', { bytes: 0 });
    log('info', 'Ready');
    return written;
  };

  it('writes one JSON document per line', () => {
    expect(linesOf('json')).toEqual([
      `{"time":"${time}","level":"warn","msg":"The disk is\\nfull","bytes":0}\n`,
      `{"time":"${time}","level":"info","msg":"Ready"}\n`,
    ]);
  });

  it('writes text for people', () => {
    expect(linesOf('text')).toEqual([`${time} warn  The disk is\nfull bytes=0\n`, `${time} info  Ready\n`]);
  });
});

describe('formatTextLogLine', () => {
  it('quotes values with spaces and puts stack traces on lines of their own', () => {
    const error = { message: 'no database', stack: 'Error: no database\n    at open' };
    const line = formatTextLogLine({
      time,
      level: 'error',
      msg: 'Failed',
      route: '/v2',
      why: 'too late',
      none: null,
      error,
    });
    expect(line).toBe(
      `${time} error Failed route=/v2 why="too late" none=null error="no database"\nError: no database\n    at open`,
    );
  });
});

describe('parseLogFormat', () => {
  it('accepts json and text', () => {
    expect([parseLogFormat(undefined), parseLogFormat('json'), parseLogFormat('text')]).toEqual([
      'json',
      'json',
      'text',
    ]);
    expect(() => parseLogFormat('xml')).toThrow(UsageError);
  });
});
