import { describe, expect, it } from 'vitest';
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

describe('scenario file', () => {
  it('has a world, steps and expectations', () => {
    const type = { type: { who: 'Ann', at: 'front door' } };
    const steps = [
      { at: '22:05', do: type, expect: { opens: 'front door' } },
      { do: [type, { exit: 'front door' }], expect: [{ locked: 'front door' }, { online: 'front' }] },
    ];
    expect(pathsOf({ steps })).toEqual([]);
  });

  it('reports the position of a syntax error', () => {
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

  it('rejects two actions in one step', () => {
    expect(pathsOf({ steps: [{ do: { exit: 'front door', push: 'front door' } }] })).toEqual(['steps.0.do']);
  });

  it('reports the position of an unknown name', () => {
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

  it('allows later steps to use a member that a step creates', () => {
    const steps = [{ do: { create_member: { name: 'Bob' } } }, { do: { delete_member: 'Bob' } }];
    expect(pathsOf({ steps })).toEqual([]);
  });

  const worldWith = (changes: object) => pathsOf({ world: { ...world, ...changes } });
  const stepsOf = (...steps: readonly object[]) => pathsOf({ steps });

  it('reports the position of a PIN or card that is in use', () => {
    const card = '04a1b2c3d4e5f6';
    const members = { Ann: { pin: '2580', card }, Bob: { pin: '2580' }, Eve: { card } };
    expect(worldWith({ members })).toEqual(['world.members.Bob.pin', 'world.members.Eve.card']);
    expect(stepsOf({ do: { create_member: { name: 'Bob', pin: '2580' } } })).toEqual(['steps.0.do.create_member.pin']);
    expect(stepsOf({ do: [{ create_pin: { who: 'Ann', pin: '2580' } }] })).toEqual(['steps.0.do.0.create_pin.pin']);
  });

  it('allows a step to use a PIN that may be free by then, or that is expected to be denied', () => {
    const bob = { create_member: { name: 'Bob', pin: '2580' } };
    expect(stepsOf({ do: { delete_member: 'Ann' } }, { do: bob })).toEqual([]);
    expect(stepsOf({ do: bob, expect: { answer: { status: 400 } } })).toEqual([]);
    const members = { Ann: { pin: '2580', ends: '2026-06-02 11:00' } };
    expect(pathsOf({ world: { ...world, members }, steps: [{ at: '+3d', do: bob }] })).toEqual([]);
  });

  it('reports the position of an end before its start', () => {
    const late = { starts: '2026-06-03 12:00', ends: '2026-06-02 12:00' };
    const group = { group: 'guests', starts: 'Thu 12:00', ends: 'Wed 12:00' };
    expect(worldWith({ members: { Ann: late } })).toEqual(['world.members.Ann.ends']);
    expect(worldWith({ members: { Ann: { groups: [group] } } })).toEqual(['world.members.Ann.groups.0.ends']);
    expect(stepsOf({ do: { create_member: { name: 'Bob', ...late } } })).toEqual(['steps.0.do.create_member.ends']);
    expect(stepsOf({ do: { edit_member: { who: 'Ann', ...late } } })).toEqual(['steps.0.do.edit_member.ends']);
    expect(stepsOf({ do: { join: { who: 'Ann', group } } })).toEqual(['steps.0.do.join.group.ends']);
  });

  it('evaluates dates at the time of the step', () => {
    const group = { group: 'guests', starts: 'Thu 12:00', ends: 'Wed 12:00' };
    expect(stepsOf({ at: 'Wed 13:00', do: { join: { who: 'Ann', group } } })).toEqual([]);
    expect(stepsOf({ do: { join: { who: 'Ann', group } }, expect: { answer: { status: 400 } } })).toEqual([]);
  });

  it('reports the position of a conflicting code, and the code that it conflicts with', () => {
    const rules = ['1', '12'].map(code => ({ code, door: 'front door' }));
    expect(worldWith({ controllers: { front: { doors: ['front door'], rules } } })).toEqual([
      'world.controllers.front.rules.1.code',
    ]);
    const steps = [{ do: { edit_rules: { at: 'front', rules } } }];
    const parsed = parseScenario({ title: 'A night', world, steps });
    expect(parsed).toMatchObject({
      problems: [
        {
          path: 'steps.0.do.edit_rules.rules.1.code',
          message: expect.stringContaining('begins with the code "1" of steps.0.do.edit_rules.rules.0.code'),
        },
      ],
    });
  });

  it('reports the position of a door that is assigned twice', () => {
    const gate = { name: 'gate', actions: ['lift'] };
    const front = { doors: ['front door', gate] };
    expect(worldWith({ controllers: { front, back: { doors: ['front door', gate] } } })).toEqual([
      'world.controllers.back.doors.0',
      'world.controllers.back.doors.1.name',
    ]);
    expect(worldWith({ controllers: { front: { doors: ['front door', 'front door'] } } })).toEqual([
      'world.controllers.front.doors.1',
    ]);
  });

  it('reports the position of an action that the door does not have', () => {
    const rules = [{ code: '1', door: 'front door', action: 'lift' }];
    const groups = { guests: [{ door: 'front door', action: 'lift' }, { action: 'open' }] };
    const triggers = [{ when: { door: 'front door', state: 'open' }, do: { door: 'front door', action: 'lift' } }];
    expect(worldWith({ controllers: { front: { doors: ['front door'], rules } }, groups, triggers })).toEqual([
      'world.controllers.front.rules.0.action',
      'world.groups.guests.0.action',
      'world.groups.guests.1.action',
      'world.triggers.0.do.action',
    ]);
  });

  it('reports the position of an unknown reason', () => {
    const reason = 'nonsense';
    expect(stepsOf({ expect: { stays_locked: { door: 'front door', reason } } })).toEqual([
      'steps.0.expect.stays_locked.reason',
    ]);
    expect(stepsOf({ expect: [{ event: { verb: 'deny', reason } }, { answer: { status: 403, reason } }] })).toEqual([
      'steps.0.expect.0.event.reason',
      'steps.0.expect.1.answer.reason',
    ]);
  });

  it('rejects a file that is not a scenario', () => {
    for (const content of [null, 7, [], 'text', { steps: {} }]) expect(parseScenario(content).ok).toBe(false);
  });
});
