import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bridgeCommands } from '@lintel/cli/bridge-commands';
import { controllerCommands } from '@lintel/cli/controller-commands';
import { gatewayCommands } from '@lintel/cli/gateway-commands';
import { lintelCommandLine as program } from '@lintel/cli/lintel-commands';
import type { CommandLineProgram } from '@lintel/service/command-line/run-command-line';
import { describe, expect, it } from 'vitest';
import { root } from '../architecture/read-sources-and-resolve-imports.ts';
import { runLintel } from '../support/processes/lintel-command.ts';
import { pages, readPage } from './markdown.test-support.ts';
import { inlineCallsOf, type LintelCall, shellCallsOf } from './shell-commands.test-support.ts';

const isSubcommand = (word: string | undefined): word is string => /^[a-z]+$/.test(word ?? '');
const isPlaceholder = (word: string | undefined): boolean => /^[A-Z]+$/.test(word ?? '');
const names = (usage: string, word: string): boolean => new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(usage);

const helpOf = async (...words: readonly string[]): Promise<string> => {
  const { code, stdout } = await runLintel(...words, '--help');
  return code === 0 ? stdout : '';
};

type CommandPart = CommandLineProgram['parts'][number];

const commandNames = (parts: readonly CommandPart[]): string[] =>
  parts.flatMap(({ entries }) => entries).map(({ name }) => name);

const packagedCommands: Readonly<Record<string, CommandPart>> = {
  'lintel-bridge': bridgeCommands,
  'lintel-controller': controllerCommands,
  'lintel-gateway': gatewayCommands,
};

/** The commands, options and repository files of a call that do not exist. */
const unknownIn = async ({ program: name, args }: LintelCall): Promise<string[]> => {
  const [command, next] = args;
  if (command === undefined || command === '--help' || isPlaceholder(command)) return [];
  const usage = await helpOf(command);
  if (usage === '') return [command];
  const packaged = packagedCommands[name];
  if (packaged !== undefined && !commandNames([packaged]).includes(command)) return [`${name} ${command}`];
  if (isSubcommand(next) && !names(usage, next)) return [`${command} ${next}`];
  const exact = isSubcommand(next) ? await helpOf(command, next) : usage;
  const options = args.filter(word => word.startsWith('--') && word !== '--help').map(word => word.split('=')[0]!);
  const files = args.filter(word => /^(?:hardware-profiles|simulator)\//.test(word));
  return [...options.filter(option => !names(exact, option)), ...files.filter(file => !existsSync(join(root, file)))];
};

describe('commands in the documentation', () => {
  it.each(pages)('%s shows commands and options that exist', async page => {
    const text = readPage(page);
    const unknown = await Promise.all([...shellCallsOf(text), ...inlineCallsOf(text)].map(unknownIn));
    expect(unknown.flat()).toEqual([]);
  });

  it.each([
    [['bridge', '--no-such-option'], ['--no-such-option']],
    [['keys', 'polish'], ['keys polish']],
    [['image', 'paint', '--arch'], ['image paint']],
    [['fly'], ['fly']],
    [['profile', 'check', 'hardware-profiles/none.json'], ['hardware-profiles/none.json']],
  ])('finds what does not exist in: lintel %s', async (args, unknown) => {
    expect(await unknownIn({ program: 'lintel', args, stdin: '' })).toEqual(unknown);
  });

  it('finds a command that the package of a program does not have', async () => {
    const call = { program: 'lintel-gateway', args: ['device'], stdin: '' };
    expect(await unknownIn(call)).toEqual(['lintel-gateway device']);
  });

  it('reads calls with variables, pipes, continued lines and quotes', () => {
    const block = [
      '```sh',
      "printf '1\\n2\\n' | npx lintel simulate door --rules rules.json",
      'TOKEN=$(npx lintel token --scope "a b") && sudo lintel-controller update FILE # now',
      'LINTEL_CODE=… npx lintel rules get \\',
      '  --device URL > rules.json',
      '```',
    ].join('\n');
    expect(shellCallsOf(block)).toEqual([
      { program: 'lintel', args: ['simulate', 'door', '--rules', 'rules.json'], stdin: '1\n2\n\n' },
      { program: 'lintel', args: ['token', '--scope', 'a b'], stdin: '' },
      { program: 'lintel-controller', args: ['update', 'FILE'], stdin: '' },
      { program: 'lintel', args: ['rules', 'get', '--device', 'URL'], stdin: '' },
    ]);
  });
});

describe('docs/reference/command-line.md', () => {
  it('lists every command', () => {
    const listed = new Set(inlineCallsOf(readPage('docs/reference/command-line.md')).map(({ args }) => args[0]));
    expect(commandNames(program.parts).filter(name => !listed.has(name))).toEqual([]);
  });
});
