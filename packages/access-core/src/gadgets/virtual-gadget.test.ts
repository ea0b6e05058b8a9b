import { describe, expect, it } from 'vitest';
import { monotonic } from '../monotonic-time.ts';
import { inferGadgetKind } from './infer-gadget-kind.ts';
import {
  nextVirtualGadgetDeadline,
  computeRestingStateId,
  stepVirtualGadget,
  type VirtualGadgetDefinition,
  type VirtualGadgetInput,
  type VirtualGadgetMachineState,
} from './virtual-gadget.ts';

const door: VirtualGadgetDefinition = { action_ids: ['open', 'unlock', 'lock'], state_ids: ['locked', 'unlocked'] };
const act = (action_id: string): VirtualGadgetInput => ({ type: 'action', action_id });

const play = (definition: VirtualGadgetDefinition, ...inputs: readonly (readonly [number, VirtualGadgetInput])[]) => {
  let machine: VirtualGadgetMachineState = null;
  let state_id: string | null = computeRestingStateId(definition);
  return inputs.flatMap(([at, input]) => {
    const step = stepVirtualGadget(definition, { machine, state_id }, input, monotonic(at));
    machine = step.machine;
    state_id = step.reports.at(-1)?.state_id ?? state_id;
    return step.reports.map(report => `${report.at} ${report.state_id}`);
  });
};

describe('inferGadgetKind', () => {
  it('derives the kind from the actions', () => {
    expect(inferGadgetKind(['open'])).toBe('door');
    expect(inferGadgetKind(['raise', 'lower'])).toBe('blind');
    expect(inferGadgetKind(['up', 'stop'])).toBe('switch');
  });
});

describe('virtual gadget', () => {
  it('relocks a door at the end of its strike time, however late the timer is', () => {
    expect(play(door, [0, act('open')], [9_000, { type: 'timer' }])).toEqual(['0 unlocked', '5000 locked']);
  });

  it('extends the strike time with a second opening', () => {
    expect(play(door, [0, act('open')], [3_000, act('open')], [9_000, { type: 'timer' }])).toEqual([
      '0 unlocked',
      '8000 locked',
    ]);
  });

  it('uses the ids of the definition', () => {
    const gate = { action_ids: ['open'], state_ids: ['open', 'closed'] };
    expect(play(gate, [0, act('open')], [5_000, { type: 'timer' }])).toEqual(['0 open', '5000 closed']);
    const shade = { action_ids: ['up', 'down'], state_ids: ['raised', 'lowered'] };
    expect(play(shade, [0, act('up')], [20_000, { type: 'timer' }])).toEqual(['20000 raised']);
  });

  it('needs the resting states of its kind to run a machine', () => {
    const bare = { action_ids: ['open'], state_ids: ['unlocked'] };
    expect([computeRestingStateId(bare), play(bare, [0, act('open')])]).toEqual([null, []]);
    const shade = { action_ids: ['up', 'down', 'stop'], state_ids: ['raising', 'up', 'down'] };
    expect(play(shade, [0, act('up')])).toEqual(['0 up']);
  });

  it('starts a new machine from the current state', () => {
    const step = stepVirtualGadget(door, { machine: null, state_id: 'unlocked' }, act('lock'), monotonic(0));
    expect(step.reports).toEqual([{ state_id: 'locked', at: 0 }]);
    expect(nextVirtualGadgetDeadline(step.machine)).toBeNull();
  });

  it('relocks after an action that starts from a reported unlocked state', () => {
    const opened = stepVirtualGadget(door, { machine: null, state_id: 'unlocked' }, act('open'), monotonic(0));
    const later = { machine: opened.machine, state_id: 'unlocked' };
    const step = stepVirtualGadget(door, later, { type: 'timer' }, monotonic(5_000));
    expect(step.reports).toEqual([{ state_id: 'locked', at: 5_000 }]);
    const unlocked = stepVirtualGadget(door, { machine: null, state_id: 'unlocked' }, act('unlock'), monotonic(0));
    expect(nextVirtualGadgetDeadline(unlocked.machine)).toBeNull();
  });

  it('starts a new machine when the definition has changed its kind', () => {
    const { machine } = stepVirtualGadget(door, { machine: null, state_id: null }, act('open'), monotonic(0));
    const light = { action_ids: ['on', 'off'], state_ids: ['on', 'off'] };
    const step = stepVirtualGadget(light, { machine, state_id: 'off' }, act('on'), monotonic(1));
    expect(step).toEqual({ machine: null, reports: [{ state_id: 'on', at: 1 }] });
    expect(computeRestingStateId(light)).toBe('off');
  });
});
