import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { playScenario } from '@lintel/simulator/scenario/play';
import { parseScenario, readScenario } from '@lintel/simulator/scenario/scenario-file';
import { afterAll, describe, expect, it } from 'vitest';
import { runLintel } from '../support/processes/lintel-command.ts';

const folder = join(import.meta.dirname, '../../simulator/scenarios');
const files = readdirSync(folder).filter(file => file.endsWith('.json'));
const PATIENCE_MS = 60_000;

describe('every scenario that is shipped', () => {
  it('is there: an empty folder would pass', () => {
    expect(files.length).toBeGreaterThanOrEqual(12);
  });

  it.each(files)('%s goes as its file expects', { timeout: PATIENCE_MS }, async file => {
    const scenario = readScenario(join(folder, file));
    if (!scenario.ok) throw new Error(JSON.stringify(scenario.problems));
    const { steps, outcome } = await playScenario(scenario.value);
    expect(steps.filter(step => step.outcome !== 'passed')).toEqual([]);
    expect(outcome).toBe('passed');
  });
});

const door = {
  title: 'One door',
  world: {
    begins: '2026-06-01 14:00',
    sites: { hotel: { timezone: 'Europe/Madrid' } },
    controllers: { front: { doors: ['front door'] } },
    groups: { guests: ['front door'] },
    members: { Ann: { groups: ['guests'], pin: '2580' }, Bob: { pin: '7391' } },
  },
};

const play = async (...steps: readonly object[]) => {
  const scenario = parseScenario({ ...door, steps });
  if (!scenario.ok) throw new Error(JSON.stringify(scenario.problems));
  return playScenario(scenario.value);
};

const anns = { type: { who: 'Ann', at: 'front door' } };

describe('a scenario that is not as its file expects', { timeout: PATIENCE_MS }, () => {
  it.each([
    [{ do: anns, expect: { stays_locked: { door: 'front door' } } }, 'front door is unlocked: granted'],
    [{ do: { type: { keys: '7391#', at: 'front' } }, expect: { opens: 'front door' } }, 'denied, unknown_credential'],
    [{ expect: { opens: 'front door' } }, 'front door is locked, and nothing was decided'],
    [
      { do: anns, expect: { event: { verb: 'use', who: 'Ann', count: 2 } } },
      'use gadget_action front door open by Ann (pin) at 14:00',
    ],
    [{ do: anns, expect: { event: { verb: 'use', who: 'Bob' } } }, '0 of them'],
    [{ expect: { offline: 'front' } }, 'it is online'],
    [{ expect: { pin_reached: { who: 'Bob', at: ['front'] } } }, 'it is at no door'],
    [{ do: { delete_member: 'Ann' }, expect: { answer: { status: 404 } } }, '200'],
    [{ do: { push: 'front door' } }, 'front door is locked'],
    [{ at: '2026-06-01 13:00' }, 'that time has passed already'],
    [{ do: { act: { door: 'front door', action: 'sing' } } }, 'the bridge answered 404'],
  ])('stops at %j and says what was seen', async (step, seen) => {
    const { outcome, steps } = await play(step, { at: '+1m' });
    expect(outcome).toBe('failed');
    expect(steps.find(one => one.outcome === 'failed')?.seen).toContain(seen);
    expect(steps.at(-1)?.outcome).toBe('waiting');
  });
});

it('a world that the bridge refuses is told, and nothing is left of it', async () => {
  const webhook = ['weather'];
  const scenario = parseScenario({ ...door, world: { ...door.world, webhook }, steps: [{ at: '+1m' }] });
  if (!scenario.ok) throw new Error('invalid');
  const { outcome, problem } = await playScenario(scenario.value);
  expect([outcome, problem]).toEqual(['failed', expect.stringContaining('the webhook was refused')]);
});

it('days pass without waiting, and every step is told as it comes', { timeout: PATIENCE_MS }, async () => {
  const scenario = parseScenario({ ...door, steps: [{ at: '+1d' }, { do: anns, expect: { opens: 'front door' } }] });
  if (!scenario.ok) throw new Error('invalid');
  const told: string[] = [];
  await playScenario(scenario.value, steps => told.push(steps.map(({ outcome }) => outcome[0]).join('')));
  expect(told).toEqual(['rww', 'pww', 'prw', 'ppw', 'ppr', 'ppp']);
});

describe('lintel simulate scenario', { timeout: PATIENCE_MS }, () => {
  const scratch = mkdtempSync(join(tmpdir(), 'lintel-scenarios-'));
  afterAll(() => rmSync(scratch, { recursive: true }));
  const fileWith = (steps: readonly object[]): string => {
    const file = join(scratch, 'scenario.json');
    writeFileSync(file, JSON.stringify({ ...door, steps }));
    return file;
  };

  it('prints each step, and the same each time', async () => {
    const file = fileWith([{ at: '22:05', do: anns, expect: { opens: 'front door' } }]);
    const [first, second] = [
      await runLintel('simulate', 'scenario', file),
      await runLintel('simulate', 'scenario', file),
    ];
    expect(first.stdout).toContain('✓ Mon 22:05  Ann types the PIN at front door');
    expect([first.code, second.stdout]).toEqual([0, first.stdout]);
  });

  it('answers 1 and says what was seen when an expectation fails, in JSON too', async () => {
    const file = fileWith([{ expect: { unlocked: 'front door' } }]);
    const text = await runLintel('simulate', 'scenario', file);
    expect([text.code, text.stdout]).toEqual([1, expect.stringContaining('seen: front door is locked')]);
    const json = await runLintel('simulate', 'scenario', file, '--json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      title: 'One door',
      outcome: 'failed',
      steps: [{ outcome: 'failed', seen: 'front door is locked' }],
    });
  });

  it('names the place of a mistake in the file', async () => {
    const { code, stderr } = await runLintel('simulate', 'scenario', fileWith([{ do: { push: 'cellar' } }]));
    expect([code, stderr]).toEqual([1, expect.stringContaining('steps.0.do.push there is no door "cellar"')]);
  });

  it('starts nothing where a PIN is given twice, and says where', async () => {
    const file = fileWith([{ do: { create_pin: { who: 'Bob', pin: '2580' } } }]);
    const { code, stdout, stderr } = await runLintel('simulate', 'scenario', file);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`${file}: steps.0.do.create_pin.pin is the PIN of Ann already\n`);
  });

  it('explains itself when it is called wrongly', async () => {
    const { code, stderr } = await runLintel('simulate', 'scenario');
    expect([code, stderr]).toEqual([2, expect.stringContaining('lintel simulate scenario FILE')]);
  });
});

const docs = readFileSync(join(import.meta.dirname, '../../docs/simulator.md'), 'utf8');

it('the example of the docs goes as it says', { timeout: PATIENCE_MS }, async () => {
  const scenario = parseScenario(JSON.parse(/```json\n([\s\S]*?)```/.exec(docs)?.[1] ?? ''));
  if (!scenario.ok) throw new Error(JSON.stringify(scenario.problems));
  expect((await playScenario(scenario.value)).outcome).toBe('passed');
});

it('every scenario that is shipped is in the docs', () => {
  expect(files.filter(file => !docs.includes(file.replace('.json', '')))).toEqual([]);
});
