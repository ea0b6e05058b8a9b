import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from './cli-command.ts';
import { findMistypedVariables } from './environment-variables.ts';
import { parseProgramOptions } from './program-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-options-'));
afterAll(() => rmSync(folder, { recursive: true }));

const options = {
  'http-port': { type: 'string' },
  'webhook-allow': { type: 'string', multiple: true, default: [] },
  'log-level': { type: 'string', default: 'info' },
  'no-mdns': { type: 'boolean' },
} as const;

const writeConfig = (text: string): string => {
  const file = join(folder, 'bridge.toml');
  writeFileSync(file, text);
  return file;
};

const messageOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  throw new Error('accepted');
};

describe('program options', () => {
  it('come from the command line, then the environment, then the file, then the defaults', () => {
    const file = writeConfig('http_port = 1\nlog_level = "debug"\nwebhook_allow = ["10.0.0.0/8"]\n');
    const environment = { LINTEL_HTTP_PORT: '2', LINTEL_CONFIG: file };
    const parse = (...args: string[]) => parseProgramOptions(args, options, environment).values;
    expect(parse('--http-port', '3')['http-port']).toBe('3');
    expect(parse()).toMatchObject({ 'http-port': '2', 'log-level': 'debug', 'webhook-allow': ['10.0.0.0/8'] });
    expect(parseProgramOptions([], options, {}).values).toEqual({ 'log-level': 'info', 'webhook-allow': [] });
  });

  it('prefer --config to LINTEL_CONFIG', () => {
    const file = writeConfig('http_port = "8080"');
    const { values } = parseProgramOptions(['--config', file], options, { LINTEL_CONFIG: '/nowhere' });
    expect(values['http-port']).toBe('8080');
  });

  it('accept lists and booleans in the environment, and treat an empty variable as not set', () => {
    const environment = {
      LINTEL_WEBHOOK_ALLOW: '10.0.0.0/8, 10.1.0.0/16',
      LINTEL_NO_MDNS: 'true',
      LINTEL_HTTP_PORT: '',
    };
    expect(parseProgramOptions([], options, environment).values).toEqual({
      'log-level': 'info',
      'webhook-allow': ['10.0.0.0/8', '10.1.0.0/16'],
      'no-mdns': true,
    });
    expect(messageOf(() => parseProgramOptions([], options, { LINTEL_NO_MDNS: 'yes' }))).toBe(
      'LINTEL_NO_MDNS must be true or false',
    );
  });

  it.each([
    ['http_prt = 1', 'unknown key "http_prt"'],
    ['http_port = true', '"http_port" must be a text or a number'],
    ['webhook_allow = "10.0.0.0/8"', '"webhook_allow" must be a list of texts'],
    ['no_mdns = 1', '"no_mdns" must be true or false'],
  ])('reject %j in a file and name the key', (text, expected) => {
    const file = writeConfig(text);
    const message = messageOf(() => parseProgramOptions(['--config', file], options, {}));
    expect(message).toContain(file);
    expect(message).toContain(expected);
  });

  it('name the place of a syntax error without the content of the file', () => {
    const file = writeConfig('http_port = 1\ndatabase = "postgres://lintel:hunter2@db\n');
    const message = messageOf(() => parseProgramOptions(['--config', file], options, {}));
    expect(message).toContain(`${file}:2:`);
    expect(message).not.toContain('hunter2');
  });

  it('name variables that are mistyped, not those of other programs', () => {
    const environment = {
      LINTEL_HTTP_PROT: '1',
      LINTEL_HTTP_PORT: '2',
      LINTEL_BRIDGE_SERVICE_HOST: '10.0.0.1',
      LINTEL_TOKEN: '',
      LINTEL_PASPHRASE: '',
    };
    expect(findMistypedVariables(options, environment)).toEqual([
      { variable: 'LINTEL_HTTP_PROT', meant: 'LINTEL_HTTP_PORT' },
      { variable: 'LINTEL_PASPHRASE', meant: 'LINTEL_PASSPHRASE' },
    ]);
  });

  it('report a missing file', () => {
    expect(() => parseProgramOptions(['--config', join(folder, 'none.toml')], options, {})).toThrow(
      /^--config: .*none\.toml: no such file or folder$/,
    );
  });
});
