import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runLintel } from '../support/processes/lintel-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-rules-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

describe('lintel rules check', () => {
  const rule = (code: string) => ({ code, gadget_id: 'gad_front', action_id: 'open' });

  it('prints each rule in words', async () => {
    const { code, stdout } = await runLintel('rules', 'check', file('good.json', [rule(''), rule('*1')]));
    expect(code).toBe(0);
    expect(stdout).toContain('A PIN or card without a code: open gad_front');
    expect(stdout).toContain('Typing * 1 and then a PIN or card: open gad_front');
  });

  it('names both codes of a conflict and suggests one that works', async () => {
    const { code, stderr } = await runLintel(
      'rules',
      'check',
      file('bad.json', { input_rules: [rule('1'), rule('12')] }),
    );
    expect(code).toBe(1);
    expect(stderr).toContain('must not be "12"');
    expect(stderr).toContain('code "1"');
    expect(stderr).toContain('"22" would work');
  });

  it('warns of a code that people type by habit, and accepts it', async () => {
    const path = file('habit.json', [rule(''), rule('#')]);
    const { code, stderr } = await runLintel('rules', 'check', path);
    expect(code).toBe(0);
    expect(stderr).toContain('Warning: input_rules.1.code');
    const { stdout } = await runLintel('rules', 'check', path, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, warnings: [expect.stringContaining('"#1"')] });
  });

  it('prints one JSON document with --json', async () => {
    const { stdout } = await runLintel('rules', 'check', file('letters.json', [rule('A')]), '--json');
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, problems: [{ path: 'input_rules.0.code' }] });
  });

  it('names a file that is not JSON', async () => {
    const { code, stderr } = await runLintel('rules', 'check', file('broken.json', '{'));
    expect(code).toBe(1);
    expect(stderr).toContain('broken.json');
  });
});
