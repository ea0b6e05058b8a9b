import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runLintel } from '../support/processes/lintel-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-command-'));

const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

describe('the lintel command', () => {
  it('lists every command with what it does', async () => {
    const { code, stdout } = await runLintel('--help');
    expect(code).toBe(0);
    for (const command of ['bridge', 'seed', 'token', 'keys', 'rules']) expect(stdout).toContain(`  ${command} `);
  });

  it('explains one command with an example', async () => {
    const { code, stdout } = await runLintel('bridge', '--help');
    expect(code).toBe(0);
    expect(stdout).toContain('npx lintel bridge --data');
    expect((await runLintel('help', 'bridge')).stdout).toBe(stdout);
  });

  it('names what a mistyped command may have meant and answers 2', async () => {
    const { code, stderr } = await runLintel('brigde');
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean bridge?');
  });

  it('says which option is missing', async () => {
    const { code, stderr } = await runLintel('bridge', '--http-port', '0', '--mqtt-port', '0');
    expect(code).toBe(2);
    expect(stderr).toContain('--data is needed');
  });
});

describe('lintel rules check', () => {
  const rule = (code: string) => ({ code, gadget_id: 'gad_front', action_id: 'open' });

  it('says each rule in words', async () => {
    const { code, stdout } = await runLintel('rules', 'check', file('good.json', [rule(''), rule('*1')]));
    expect(code).toBe(0);
    expect(stdout).toContain('A PIN or a card with nothing typed before: open gad_front');
    expect(stdout).toContain('Typing * 1 and then a PIN or a card: open gad_front');
  });

  it('names both codes in conflict and one that would work', async () => {
    const { code, stderr } = await runLintel(
      'rules',
      'check',
      file('bad.json', { input_rules: [rule('1'), rule('12')] }),
    );
    expect(code).toBe(1);
    expect(stderr).toContain('code "12"');
    expect(stderr).toContain('code "1"');
    expect(stderr).toContain('"22" would work');
  });

  it('answers one JSON document when asked', async () => {
    const { stdout } = await runLintel('rules', 'check', file('letters.json', [rule('A')]), '--json');
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, problems: [{ path: 'input_rules.0.code' }] });
  });

  it('says what is wrong with a file that is no JSON', async () => {
    const { code, stderr } = await runLintel('rules', 'check', file('broken.json', '{'));
    expect(code).toBe(1);
    expect(stderr).toContain('broken.json');
  });
});
