import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requirePart } from '../reporting/system-part.ts';
import { runLintel } from '../support/processes/lintel-command.ts';
import { pythonPart } from '../support/processes/pty.ts';
import { Terminal } from '../support/processes/terminal.ts';

const home = join(import.meta.dirname, '../..');
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

/** What is printed when these lines come on stdin. */
const talk = async (lines: string, ...args: readonly string[]) => {
  const child = spawn(process.execPath, [join(home, 'lintel.ts'), 'simulate', 'door', ...args], { cwd: home });
  let printed = '';
  child.stdout.on('data', chunk => (printed += String(chunk)));
  child.stdin.end(lines);
  const code = await new Promise<number | null>(resolve => child.once('close', resolve));
  return { code, lines: printed.split('\n') };
};

describe('a door without a terminal', () => {
  it('takes keys in lines and prints what was decided', async () => {
    const { code, lines } = await talk('2580\nx\n');
    expect(code).toBe(0);
    expect(lines).toContain('GRANTED  open Door by pin');
    expect(lines).toContain('DENIED  open Door by card: nobody has this PIN or card here (unknown_credential)');
    expect(lines).toContain('= idle · Door UNLOCKED');
  });

  it('tries rules: a code arms its rule, and a gadget that the profile lacks is taken for a neighbour', async () => {
    const { lines } = await talk('*1\nc\n*22580\n', '--rules', rules);
    expect(lines).toContain('gad_front is taken for Door');
    expect(lines).toContain('= armed: on Light · Door locked');
    expect(lines).toContain('GRANTED  on Light by card');
    expect(lines).toContain('GRANTED  the other controller is asked to open gad_garage at another controller');
  });

  it('moves the door as a hand would: locked ones only by force', async () => {
    const { lines } = await talk('o\nf\n');
    expect(lines).toContain('Door is locked');
    expect(lines).toContain('Door is forced');
  });

  it.each(['rpi-osdp', 'rpi-pn532-matrix', 'rpi-gpio-acr122u', 'usb-only'])('tries the product %s', async product => {
    const { code, lines } = await talk('2580\n', '--profile', `hardware-profiles/profiles/${product}.json`);
    expect([code, lines.some(line => /^GRANTED {2}open .*oor by pin$/.test(line))]).toEqual([0, true]);
  });

  it('says what is wrong with a file, and where', async () => {
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

describe('a door in a terminal', () => {
  beforeEach(context => requirePart(context, pythonPart));
  let terminal: Terminal | null = null;
  afterEach(() => terminal?.close());

  const open = async (size: readonly [number, number], ...args: readonly string[]): Promise<Terminal> => {
    terminal = await Terminal.run(size, 'simulate', 'door', ...args);
    await terminal.shows('Expected');
    return terminal;
  };

  it('fits 80 by 24 and shows keypad, reader, lock, and what is expected', async () => {
    const screen = await open([80, 24], '--rules', rules);
    await screen.shows('PIN 2580, card 04a1b2c3d4e5f6');
    for (const text of ['Keypad main', 'Reader', '▮ LOCKED', 'a PIN or a card, or a code: *1 (on Light)', 'q quit']) {
      await screen.shows(text);
    }
    expect(screen.screen).toHaveLength(24);
    expect(screen.screen.filter(line => line.length > 80)).toEqual([]);
  });

  it('shows the rule that is armed, hides the digits, and shows the decision and the relay', async () => {
    const screen = await open([80, 24], '--rules', rules);
    screen.type('*1');
    await screen.shows('armed: on Light   *1');
    screen.type('25');
    await screen.shows('armed: on Light   *1••');
    screen.type('*2580');
    await screen.shows('GRANTED  open Door by pin');
    await screen.shows('▯ UNLOCKED');
    await screen.shows(/relay {2}door_relay on/);
    screen.type('o');
    await screen.shows('leaf   open');
    screen.type('x');
    await screen.shows('DENIED  open Door by card');
    await screen.shows('● red');
    await screen.shows('▮ LOCKED');
  });

  it('follows the size of the terminal, and is readable in a small one', async () => {
    const screen = await open([44, 14]);
    await screen.shows('Door: locked');
    expect(screen.screen.every(line => line.length <= 44)).toBe(true);
    screen.widen();
    await screen.shows('Keypad main');
    expect(screen.screen.some(line => line.length === 100)).toBe(true);
  });

  it.each([
    ['q', 0],
    ['\u0003', 0],
    ['\u0004', 0],
  ])('gives the terminal back when %j is typed', async (key, code) => {
    const screen = await open([80, 24]);
    screen.type(key);
    expect(await screen.ended()).toEqual({ code, echo: true, canonical: true });
    expect(screen.written).toContain('\u001B[?1049h');
    expect(screen.written.endsWith('\u001B[?25h\u001B[?1049l')).toBe(true);
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)('gives the terminal back on %s', async signal => {
    const screen = await open([80, 24]);
    process.kill(screen.pid, signal);
    expect(await screen.ended()).toEqual({ code: 0, echo: true, canonical: true });
    expect(screen.written.endsWith('\u001B[?1049l')).toBe(true);
  });

  it('gives the terminal back when something breaks, and the error can be read', async () => {
    terminal = await Terminal.runFile(
      [80, 24],
      fileURLToPath(new URL('../support/browser/crashing-screen.ts', import.meta.url)),
    );
    const ended = await terminal.ended();
    expect(ended).toEqual({ code: 1, echo: true, canonical: true });
    const [before, after] = terminal.written.split('\u001B[?1049l');
    expect(before).toContain('\u001B[?1049h');
    expect(after).toContain('a mistake that somebody has to read');
  });
});
