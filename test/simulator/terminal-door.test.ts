import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requireProgram } from '../support/require-program.ts';
import { programFile } from '../support/processes/bundled-programs.ts';
import { runLintel, runLintelWith } from '../support/processes/lintel-command.ts';
import { requiredPython } from '../support/processes/pty.ts';
import { Terminal } from '../support/processes/lintel-terminal.ts';

const profiles = join(import.meta.dirname, '../../hardware-profiles/profiles');
const scratch = mkdtempSync(join(tmpdir(), 'lintel-trial-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const fileWith = (name: string, content: unknown): string => {
  const file = join(scratch, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
};

const rules = fileWith('rules.json', [
  { code: '', gadget_id: 'gad_front', action_id: 'open' },
  { code: '*1', gadget_id: 'gad_lamp', action_id: 'on' },
  { code: '*2', gadget_id: 'gad_garage', action_id: 'open' },
]);

/** The lines printed for this input on stdin. */
const talk = async (input: string, ...args: readonly string[]) => {
  const { code, stdout } = await runLintelWith(input, 'simulate', 'door', ...args);
  return { code, lines: stdout.split('\n') };
};

describe('lintel simulate door without a terminal', () => {
  it('reads keys in lines and prints the decisions', async () => {
    const { code, lines } = await talk('2580\nx\n');
    expect(code).toBe(0);
    expect(lines).toContain('GRANTED  open Door by pin');
    expect(lines).toContain('DENIED  open Door by card: unknown PIN or card (unknown_credential)');
    expect(lines).toContain('= idle · Door UNLOCKED');
  });

  it('selects the rule of a code and treats an unmatched gadget as one of another controller', async () => {
    const { lines } = await talk('*1\nc\n*22580\n', '--rules', rules);
    expect(lines).toContain('gad_front is mapped to Door');
    expect(lines).toContain('= rule selected: on Light · Door locked');
    expect(lines).toContain('GRANTED  on Light by card');
    expect(lines).toContain('GRANTED  action sent to another controller: open gad_garage at another controller');
  });

  it('opens a locked door only by force', async () => {
    const { lines } = await talk('o\nf\n');
    expect(lines).toContain('Door is locked');
    expect(lines).toContain('Door is forced');
  });

  it.each(['rpi-osdp', 'rpi-pn532-matrix', 'rpi-gpio-acr122u', 'usb-only'])('runs the product %s', async product => {
    const { code, lines } = await talk('2580\n', '--profile', join(profiles, `${product}.json`));
    expect([code, lines.some(line => /^GRANTED {2}open .*oor by pin$/.test(line))]).toEqual([0, true]);
  });

  it('names the invalid field of a rules file and of a profile', async () => {
    const bad = fileWith('bad.json', [
      { code: '1', gadget_id: 'gad_a', action_id: 'open' },
      { code: '12', gadget_id: 'gad_a', action_id: 'open' },
    ]);
    const outcome = await runLintel('simulate', 'door', '--rules', bad);
    expect([outcome.code, outcome.stderr]).toEqual([1, expect.stringContaining('input_rules.1.code')]);
    const profile = await runLintel('simulate', 'door', '--profile', fileWith('profile.json', { product_id: 'x' }));
    expect([profile.code, profile.stderr]).toEqual([1, expect.stringContaining('capabilities')]);
    expect((await runLintel('simulate', 'door', '--colour', 'red')).code).toBe(2);
  });
});

describe('lintel simulate door in a terminal', () => {
  beforeEach(context => requireProgram(context, requiredPython));
  let terminal: Terminal | null = null;
  afterEach(() => terminal?.close());

  const open = async (size: readonly [number, number], ...args: readonly string[]): Promise<Terminal> => {
    terminal = await Terminal.run(size, 'simulate', 'door', ...args);
    await terminal.waitFor('Expected');
    return terminal;
  };

  it('fits 80 by 24 and shows keypad, reader, lock and the expected input', async () => {
    const screen = await open([80, 24], '--rules', rules);
    await screen.waitFor('PIN 2580, card 04a1b2c3d4e5f6');
    for (const text of ['Keypad main', 'Reader', '▮ LOCKED', 'a PIN or a card, or a code: *1 (on Light)', 'q quit']) {
      await screen.waitFor(text);
    }
    expect(screen.screen).toHaveLength(24);
    expect(screen.screen.filter(line => line.length > 80)).toEqual([]);
  });

  it('shows the selected rule, hides the digits, and shows the decision and the relay', {
    tags: ['slow'],
  }, async () => {
    const screen = await open([80, 24], '--rules', rules);
    screen.type('*1');
    await screen.waitFor('rule selected: on Light   *1');
    screen.type('25');
    await screen.waitFor('rule selected: on Light   *1••');
    screen.type('*2580');
    await screen.waitFor('GRANTED  open Door by pin');
    await screen.waitFor('▯ UNLOCKED');
    await screen.waitFor(/relay {2}door_relay on/);
    screen.type('o');
    await screen.waitFor('leaf   open');
    screen.type('x');
    await screen.waitFor('DENIED  open Door by card');
    await screen.waitFor('● red');
    await screen.waitFor('▮ LOCKED');
  });

  it('follows the size of the terminal and fits a small one', async () => {
    const screen = await open([44, 14]);
    await screen.waitFor('Door: locked');
    expect(screen.screen.every(line => line.length <= 44)).toBe(true);
    screen.widen();
    await screen.waitFor('Keypad main');
    expect(screen.screen.some(line => line.length === 100)).toBe(true);
  });

  const expectRestored = async (screen: Terminal): Promise<void> => {
    expect(await screen.ended()).toEqual({ code: 0, echo: true, canonical: true });
    expect(screen.written).toContain('\u001B[?1049h');
    expect(screen.written.endsWith('\u001B[?25h\u001B[?1049l')).toBe(true);
  };

  it('restores the terminal when "q" is typed', async () => {
    const screen = await open([80, 24]);
    screen.type('q');
    await expectRestored(screen);
  });

  it.each(['\u0003', '\u0004'])('restores the terminal when %j is typed', { tags: ['slow'] }, async key => {
    const screen = await open([80, 24]);
    screen.type(key);
    await expectRestored(screen);
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)('restores the terminal on %s', { tags: ['slow'] }, async signal => {
    const screen = await open([80, 24]);
    process.kill(screen.pid, signal);
    await expectRestored(screen);
  });

  it('restores the terminal before it prints the trace of an uncaught error', async () => {
    terminal = await Terminal.runFile([80, 24], programFile('crashing-terminal-program'));
    const ended = await terminal.ended();
    expect(ended).toEqual({ code: 1, echo: true, canonical: true });
    const [before, after] = terminal.written.split('\u001B[?1049l');
    expect(before).toContain('\u001B[?1049h');
    expect(after).toContain('an error to read');
  });
});
