import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCliCommand, rethrowCommandErrors, UsageError } from './cli-command.ts';
import {
  parseBrokerUrlOption,
  parseFingerprintOption,
  parseCommandArguments,
  parsePortOption,
  rejectExtraArguments,
  requireOption,
} from './command-arguments.ts';
import { createCommandGroup } from './subcommands.ts';

let said = '';

beforeEach(() => {
  said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation(text => {
    said += String(text);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

const failing = (error: Error) => async (): Promise<number> => {
  throw error;
};

describe('command', () => {
  it('returns the exit code of its function and prints nothing itself', async () => {
    expect(await createCliCommand('usage\n', async args => args.length).run(['a', 'b'])).toBe(2);
    expect(said).toBe('');
  });

  it('prints the problem and how to get the usage, and returns 2 for a wrong call', async () => {
    expect(
      await createCliCommand('lintel door --data DIR\n', failing(new UsageError('--data is required'))).run([]),
    ).toBe(2);
    expect(said).toBe('--data is required\n`lintel door --help` explains it.\n');
  });

  it('prints only the usage when there is no message', async () => {
    expect(await createCliCommand('usage\n', failing(new UsageError()), rethrowCommandErrors).run([])).toBe(2);
    expect(said).toBe('usage\n');
  });

  it('prints an error in one sentence without the usage, and returns 1', async () => {
    expect(await createCliCommand('usage\n', failing(new Error('the disk is full'))).run([])).toBe(1);
    expect(said).toBe('the disk is full\n');
  });

  it('uses the error texts of the command, and rethrows unexpected errors', async () => {
    const inWords = (error: unknown): string | null => (error instanceof RangeError ? 'too many doors' : null);
    expect(await createCliCommand('usage\n', failing(new RangeError('7')), inWords).run([])).toBe(1);
    expect(said).toBe('too many doors\n');
    await expect(createCliCommand('usage\n', failing(new TypeError('x')), inWords).run([])).rejects.toThrow(TypeError);
  });

  const several = createCommandGroup('lintel door', [
    {
      name: 'open',
      summary: 'opens it',
      load: async () => ({ command: createCliCommand('how to open\n', async args => args.length) }),
    },
    { name: 'shut-it', summary: 'shuts it', load: () => Promise.reject(new Error('is not to be loaded')) },
  ]);

  it('lists its subcommands in columns', () => {
    expect(several.usage).toBe(`lintel door SUBCOMMAND [OPTIONS]

  open      opens it
  shut-it   shuts it

\`lintel door SUBCOMMAND --help\` explains a subcommand and its options.
`);
  });

  it('passes the remaining arguments to the subcommand, and loads no other', async () => {
    expect(await several.run(['open', '--wide', '--json', 'now'])).toBe(3);
    expect(await several.usageOf?.(['open'])).toBe('how to open\n');
  });

  it('returns 2 with the list when the subcommand is missing or unknown, inherited property names included', async () => {
    expect(await several.run([])).toBe(2);
    expect(said).toBe(several.usage);
    said = '';
    expect(await several.run(['constructor'])).toBe(2);
    expect(said).toBe('Unknown subcommand "constructor". Specify open, shut-it\n`lintel door --help` explains it.\n');
    expect(await several.usageOf?.(['toString'])).toBe(several.usage);
  });

  it('rejects unknown options, unexpected arguments and missing values', () => {
    const options = { data: { type: 'string' } } as const;
    expect(parseCommandArguments({ args: ['--data', 'here'], options }).values.data).toBe('here');
    for (const args of [['--date'], ['word'], ['--data']])
      expect(() => parseCommandArguments({ args, options })).toThrow(UsageError);
    expect(parseCommandArguments({ args: ['word'], options, allowPositionals: true }).positionals).toEqual(['word']);
  });

  it('names a missing or empty option as it is typed', () => {
    expect(requireOption('here', 'data')).toBe('here');
    expect(() => requireOption('', 'data')).toThrow(new UsageError('--data is required'));
    expect(() => requireOption(undefined, 'FILE')).toThrow(new UsageError('FILE is required'));
  });

  it('accepts ports from 0 to 65535', () => {
    expect([parsePortOption('0', 'port'), parsePortOption('65535', 'port')]).toEqual([0, 65_535]);
    for (const text of ['65536', '-1', '0x10', '1e3', ' 8080', '8080 '])
      expect(() => parsePortOption(text, 'port')).toThrow(new UsageError('--port must be a port from 0 to 65535'));
  });

  it('rejects the first argument beyond those that are expected', () => {
    expect(() => rejectExtraArguments(['a'], 1)).not.toThrow();
    expect(() => rejectExtraArguments(['a', 'b', 'c'], 1)).toThrow(new UsageError('Unexpected argument: b'));
  });

  it('accepts addresses of brokers only', () => {
    const urls = ['mqtts://doors.example.com:8883', 'mqtt://127.0.0.1:1883', undefined];
    expect(urls.map(url => parseBrokerUrlOption(url, 'upstream'))).toEqual(urls);
    for (const text of ['https://doors.example.com', 'doors.example.com', ''])
      expect(() => parseBrokerUrlOption(text, 'upstream')).toThrow(/^--upstream must be an address/);
  });

  it('accepts fingerprints with or without colons, in either case, of the right length', () => {
    const pairs = Array.from({ length: 32 }, (_, at) => (at + 160).toString(16));
    const written = pairs.join(':').toUpperCase();
    for (const text of [written, pairs.join(''), pairs.join(' ')]) expect(parseFingerprintOption(text)).toBe(written);
    expect(parseFingerprintOption(undefined)).toBeNull();
    for (const text of ['', pairs.slice(1).join(':'), `${written}:AA`])
      expect(() => parseFingerprintOption(text, 'fingerprint')).toThrow(/^--fingerprint must be/);
  });
});
