import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseScenario, playScenario, readScenarioFile } from '@lintel/simulator/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { runLintel } from '../support/processes/lintel-command.ts';

const folder = join(import.meta.dirname, '../../simulator/scenarios');
const files = readdirSync(folder).filter(file => file.endsWith('.json'));

const quick = new Set(['power-cut.json', 'webhook-outage.json']);

const expectToPass = async (file: string): Promise<void> => {
  const scenario = readScenarioFile(join(folder, file));
  if (!scenario.ok) throw new Error(JSON.stringify(scenario.problems));
  const { steps, outcome } = await playScenario(scenario.value);
  expect(steps.filter(step => step.outcome !== 'passed')).toEqual([]);
  expect(outcome).toBe('passed');
};

describe('shipped scenarios', () => {
  it('are at least twelve', () => {
    expect(files.length).toBeGreaterThanOrEqual(12);
  });

  it.each(files.filter(file => quick.has(file)))('pass: %s', expectToPass);

  it.each(files.filter(file => !quick.has(file)))('pass: %s', { tags: ['slow'] }, expectToPass);
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
  return playScenario(scenario.value, { awaitedMs: 500 });
};

const anns = { type: { who: 'Ann', at: 'front door' } };

describe('playScenario', () => {
  const expectFailure = async (step: object, seen: string): Promise<void> => {
    const { outcome, steps } = await play(step, { at: '+1m' });
    expect(outcome).toBe('failed');
    expect(steps.find(one => one.outcome === 'failed')?.seen).toContain(seen);
    expect(steps.at(-1)?.outcome).toBe('waiting');
  };

  it.each<[object, string]>([
    [{ do: anns, expect: { stays_locked: { door: 'front door' } } }, 'front door is unlocked: granted'],
  ])('stops at a step that fails and reports what was seen: %j', expectFailure);

  it.each<[object, string]>([
    [
      { do: anns, expect: { event: { verb: 'use', who: 'Ann', count: 2 } } },
      'use gadget_action front door open by Ann (pin) at 14:00',
    ],
    [{ do: { act: { door: 'front door', action: 'sing' } } }, 'The bridge responded 404'],
    [{ do: { type: { keys: '7391#', at: 'front' } }, expect: { opens: 'front door' } }, 'denied, unknown_credential'],
    [{ expect: { opens: 'front door' } }, 'front door is locked, without a decision'],
    [{ do: anns, expect: { event: { verb: 'use', who: 'Bob' } } }, '0 matching events'],
    [{ expect: { offline: 'front' } }, 'it is online'],
    [{ expect: { pin_reached: { who: 'Bob', at: ['front'] } } }, 'it works at no door'],
    [{ do: { delete_member: 'Ann' }, expect: { answer: { status: 404 } } }, '200'],
    [{ do: { push: 'front door' } }, 'front door is locked'],
    [{ at: '2026-06-01 13:00' }, 'This time has already passed'],
  ])('stops at a step that fails and reports what was seen: %j', { tags: ['slow'] }, expectFailure);

  it('fails when the bridge rejects the world of the scenario', async () => {
    const webhook = ['weather'];
    const scenario = parseScenario({ ...door, world: { ...door.world, webhook }, steps: [{ at: '+1m' }] });
    if (!scenario.ok) throw new Error('invalid');
    const { outcome, problem } = await playScenario(scenario.value);
    expect([outcome, problem]).toEqual(['failed', expect.stringContaining('The webhook could not be registered')]);
  });

  it('plays hours without waiting and reports the progress of every step', async () => {
    const scenario = parseScenario({ ...door, steps: [{ at: '+2h' }, { do: anns, expect: { opens: 'front door' } }] });
    if (!scenario.ok) throw new Error('invalid');
    const reports: string[] = [];
    await playScenario(scenario.value, {
      onProgress: steps => reports.push(steps.map(({ outcome }) => outcome[0]).join('')),
    });
    expect(reports).toEqual(['rww', 'pww', 'prw', 'ppw', 'ppr', 'ppp']);
  });
});

describe('lintel simulate scenario', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'lintel-scenarios-'));
  afterAll(() => rmSync(scratch, { recursive: true }));
  const fileWith = (steps: readonly object[]): string => {
    const file = join(scratch, 'scenario.json');
    writeFileSync(file, JSON.stringify({ ...door, steps }));
    return file;
  };

  const passing = [{ at: '14:05', do: anns, expect: { opens: 'front door' } }];
  const failing = [{ expect: { unlocked: 'front door' } }];

  it('prints each step', async () => {
    const { code, stdout } = await runLintel('simulate', 'scenario', fileWith(passing));
    expect([code, stdout]).toEqual([0, expect.stringContaining('✓ Mon 14:05  Ann types the PIN at front door')]);
  });

  it('prints the same on every run', { tags: ['slow'] }, async () => {
    const file = fileWith(passing);
    const first = await runLintel('simulate', 'scenario', file);
    expect(await runLintel('simulate', 'scenario', file)).toEqual(first);
  });

  it('exits with 1 and prints what was seen when an expectation fails', { tags: ['slow'] }, async () => {
    const { code, stdout } = await runLintel('simulate', 'scenario', fileWith(failing));
    expect([code, stdout]).toEqual([1, expect.stringContaining('seen: front door is locked')]);
  });

  it('exits with 1 and prints what was seen as JSON when an expectation fails', async () => {
    const { code, stdout } = await runLintel('simulate', 'scenario', fileWith(failing), '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      title: 'One door',
      outcome: 'failed',
      steps: [{ outcome: 'failed', seen: 'front door is locked' }],
    });
  });

  it('names the invalid field of the file', async () => {
    const { code, stderr } = await runLintel('simulate', 'scenario', fileWith([{ do: { push: 'cellar' } }]));
    expect([code, stderr]).toEqual([1, expect.stringContaining('steps.0.do.push Unknown door "cellar"')]);
  });

  it('rejects a PIN that is given twice before it starts', async () => {
    const file = fileWith([{ do: { create_pin: { who: 'Bob', pin: '2580' } } }]);
    const { code, stdout, stderr } = await runLintel('simulate', 'scenario', file);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`${file}: steps.0.do.create_pin.pin is already the PIN of Ann\n`);
  });

  it('exits with 2 and names what is missing without a file', async () => {
    const { code, stderr } = await runLintel('simulate', 'scenario');
    expect([code, stderr]).toEqual([2, expect.stringContaining('FILE is required')]);
  });
});

const docs = readFileSync(join(import.meta.dirname, '../../docs/developer/simulator.md'), 'utf8');

describe('docs/developer/simulator.md', () => {
  const example = () => {
    const scenario = parseScenario(JSON.parse(/```json\n([\s\S]*?)```/.exec(docs)?.[1] ?? ''));
    if (!scenario.ok) throw new Error(JSON.stringify(scenario.problems));
    return scenario.value;
  };

  it('has a valid example', () => {
    expect(example().steps.length).toBeGreaterThan(0);
  });

  it('has an example that passes', { tags: ['slow'] }, async () => {
    expect((await playScenario(example())).outcome).toBe('passed');
  });

  it('lists every shipped scenario', () => {
    expect(files.filter(file => !docs.includes(file.replace('.json', '')))).toEqual([]);
  });
});
