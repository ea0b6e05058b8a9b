import { expect, it } from 'vitest';
import { parseScenario } from './scenario-file.ts';

const world = {
  begins: '2026-06-01 14:00',
  sites: { hotel: { timezone: 'Europe/Madrid' } },
  controllers: { front: { doors: ['front door'] } },
  groups: { guests: ['front door'] },
  members: { Ann: { groups: ['guests'], pin: '2580' } },
};

const pathsOf = (changes: object): string[] => {
  const parsed = parseScenario({ title: 'A night', world, steps: [{ at: '22:00' }], ...changes });
  return parsed.ok ? [] : parsed.problems.map(({ path }) => path);
};

it('takes a world, steps and expectations, one or several', () => {
  const type = { type: { who: 'Ann', at: 'front door' } };
  const steps = [
    { at: '22:05', do: type, expect: { opens: 'front door' } },
    { do: [type, { exit: 'front door' }], expect: [{ locked: 'front door' }, { online: 'front' }] },
  ];
  expect(pathsOf({ steps })).toEqual([]);
});

it('names the place of what it cannot read', () => {
  expect(pathsOf({ steps: [{ do: { sing: 'a song' } }] })).toContain('steps.0.do.sing');
  expect(pathsOf({ steps: [{ at: 'tomorrow' }] })).toEqual(['steps.0.at']);
  expect(pathsOf({ steps: [{}] })).toEqual(['steps.0']);
  expect(pathsOf({ steps: [{ do: [{ exit: 'front door' }, { type: { keys: 'abc', at: 'front' } }] }] })).toEqual([
    'steps.0.do.1.type.keys',
  ]);
  expect(pathsOf({ world: { ...world, schedules: { day: 'Mon 8-9' } } })).toEqual(['world.schedules.day']);
  expect(pathsOf({ world: { ...world, begins: '22:00' } })).toEqual(['world.begins']);
  expect(pathsOf({ colour: 'red' })).toEqual(['colour']);
  expect(pathsOf({ steps: [{ do: { type: { at: 'front' } } }] })).toEqual(['steps.0.do.type']);
  expect(pathsOf({ steps: [{ do: { step_clock: { at: 'front' } } }] })).toEqual(['steps.0.do.step_clock']);
  const when = { door: 'front door' };
  expect(pathsOf({ world: { ...world, triggers: [{ when, do: { door: 'front door', action: 'open' } }] } })).toEqual([
    'world.triggers.0.when',
  ]);
});

it('two things in one act are one too many', () => {
  expect(pathsOf({ steps: [{ do: { exit: 'front door', push: 'front door' } }] })).toEqual(['steps.0.do']);
});

it('names the place of a name that nobody has', () => {
  const steps = [
    { do: { type: { who: 'Bob', at: 'front door' } } },
    { do: { cut_internet: 'back' }, expect: [{ opens: 'back door' }, { pin_reached: { who: 'Ann', at: ['back'] } }] },
    { expect: { event: { verb: 'use', who: 'Ann', door: 'cellar', at: '22:00' } } },
  ];
  expect(pathsOf({ steps })).toEqual([
    'steps.0.do.type.who',
    'steps.1.do.cut_internet',
    'steps.1.expect.0.opens',
    'steps.1.expect.1.pin_reached.at.0',
    'steps.2.expect.event.door',
  ]);
  expect(pathsOf({ world: { ...world, groups: { guests: ['cellar'] } } })).toEqual(['world.groups.guests.0']);
  expect(pathsOf({ world: { ...world, members: { Ann: { groups: ['staff'] } } } })).toEqual([
    'world.members.Ann.groups.0',
  ]);
});

it('a member whom a step makes is somebody in the other steps', () => {
  const steps = [{ do: { create_member: { name: 'Bob' } } }, { do: { delete_member: 'Bob' } }];
  expect(pathsOf({ steps })).toEqual([]);
});

it('does not break on what is no scenario at all', () => {
  for (const content of [null, 7, [], 'text', { steps: {} }]) expect(parseScenario(content).ok).toBe(false);
});
