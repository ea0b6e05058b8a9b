import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { requireProgram } from '../support/require-program.ts';
import { runLintel, spawnLintel } from '../support/processes/lintel-command.ts';

describe('lintel', () => {
  it('lists every command with its summary', async () => {
    const { code, stdout } = await spawnLintel('--help');
    expect(code).toBe(0);
    for (const command of ['bridge', 'seed', 'token', 'keys', 'rules']) expect(stdout).toContain(`  ${command} `);
  });

  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
    expect(await spawnLintel('--version')).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('explains one command with an example', async () => {
    const { code, stdout } = await runLintel('bridge', '--help');
    expect(code).toBe(0);
    expect(stdout).toContain('npx lintel bridge --data');
    expect((await runLintel('help', 'bridge')).stdout).toBe(stdout);
  });

  it('suggests a command for a mistyped one and exits with 2', async () => {
    const { code, stderr } = await spawnLintel('brigde');
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean bridge?');
  });

  it('names the missing option', async () => {
    const { code, stderr } = await runLintel('bridge', '--http-port', '0', '--mqtt-port', '0');
    expect(code).toBe(2);
    expect(stderr).toContain('--data is required');
  });
});

describe('lintel completion', () => {
  it('completes commands, subcommands and options in bash', async () => {
    const { stdout: script } = await runLintel('completion', 'bash');
    const complete = (...words: readonly string[]) =>
      `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _lintel; echo "\${COMPREPLY[@]}"`;
    const calls = [
      complete('lintel', 'bri'),
      complete('lintel', 'image', 'fl'),
      complete('lintel', 'image', 'flash', '--he'),
      complete('lintel', 'device', '--prof'),
    ];
    const completed = execFileSync('bash', ['-c', [script, ...calls].join('\n')], { encoding: 'utf8' });
    expect(completed.trim().split('\n')).toEqual(['bridge', 'flash', '--help', '--profile']);
  });

  it('completes in zsh, also without a configuration', { tags: ['slow'] }, async context => {
    requireProgram(context, { command: 'zsh', install: 'apt-get install zsh' });
    const { stdout: script } = await runLintel('completion', 'zsh');
    // The options in which zsh runs completions that are written for bash.
    const complete =
      'complete_words() { emulate -L sh; setopt kshglob noshglob braceexpand; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lintel; echo "${COMPREPLY[@]}"; }';
    const calls = ['lintel bri', 'lintel image fl', 'lintel image flash --ye', 'lintel device --prof'];
    const lines = [script, complete, ...calls.map(words => `complete_words ${words}`)];
    const completed = execFileSync('zsh', ['-f', '-c', lines.join('\n')], { encoding: 'utf8' })
      .trim()
      .split('\n');
    // Outside of a terminal, zsh does not select the words that begin with the typed letters.
    for (const [index, word] of ['bridge', 'flash', '--yes', '--profile'].entries())
      expect(completed[index]?.split(' ')).toContain(word);
  });

  it('rejects another shell with exit code 2', async () => {
    expect((await runLintel('completion', 'fish')).code).toBe(2);
  });
});
