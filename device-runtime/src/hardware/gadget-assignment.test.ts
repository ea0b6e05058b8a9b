import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryState } from '@lintel/test/support/memory-state-store';
import {
  type GadgetToAssign,
  assignGadgetsToProfile,
  type AssignableProfileGadget,
  PersistedGadgetAssignments,
} from './gadget-assignment.ts';

const place = (key: string, name: string, ...actions: string[]): AssignableProfileGadget => ({
  key,
  name,
  action_ids: new Set(actions),
});
const gadget = (id: string, name: string, ...actions: string[]): GadgetToAssign => ({
  id,
  name,
  actions: actions.map(action => ({ id: action })),
});

const wired = [
  place('front', 'Front door', 'open', 'unlock', 'lock'),
  place('staff', 'Staff door', 'open', 'unlock', 'lock'),
  place('light', 'Light', 'on', 'off'),
];
const placed = (gadgets: readonly GadgetToAssign[], remembered = {}) =>
  Object.fromEntries(assignGadgetsToProfile(wired, gadgets, remembered));

describe('gadget wiring assignment', () => {
  describe('of a new gadget', () => {
    it('uses the wiring of the same name, whatever the order of creation', () => {
      const gadgets = [gadget('a', 'staff door ', 'open'), gadget('b', 'Front Door', 'open')];
      expect(placed(gadgets)).toEqual({ a: 'staff', b: 'front' });
    });

    it('otherwise uses the first free wiring that supports all its actions, for the oldest gadget first', () => {
      const gadgets = [gadget('a', 'Lamp', 'on'), gadget('b', 'Suite', 'open'), gadget('c', 'Cellar', 'open', 'lock')];
      expect(placed(gadgets)).toEqual({ a: 'light', b: 'front', c: 'staff' });
    });

    it('is empty when no wiring supports its actions or all are in use', () => {
      expect(placed([gadget('a', 'Front door', 'open', 'bolt'), gadget('b', 'Sensor')])).toEqual({ a: null, b: null });
      const doors = ['a', 'b', 'c'].map(id => gadget(id, id, 'open'));
      expect(placed(doors)).toEqual({ a: 'front', b: 'staff', c: null });
    });
  });

  describe('of a wired gadget', () => {
    it('stays when another gadget is deleted, so that no door gets the relay of another', () => {
      const kept = new PersistedGadgetAssignments(wired, new MemoryState(), () => undefined);
      kept.place([gadget('a', 'One', 'open'), gadget('b', 'Two', 'open')]);
      expect(kept.place([gadget('b', 'Two', 'open')]).get('b')).toBe('staff');
      expect(kept.place([gadget('b', 'Front door', 'open')]).get('b')).toBe('staff');
    });

    it('stays over a restart and over the loss of the snapshot', () => {
      const state = new MemoryState();
      const start = () => new PersistedGadgetAssignments(wired, state, () => undefined);
      start().place([gadget('a', 'One', 'open'), gadget('b', 'Two', 'open')]);
      const second = start();
      second.place([]);
      expect(second.place([gadget('b', 'Two', 'open'), gadget('a', 'One', 'open')]).get('a')).toBe('front');
    });

    it('passes to a new gadget when it is gone and nothing else is free', () => {
      const kept = new PersistedGadgetAssignments(wired, new MemoryState(), () => undefined);
      kept.place([gadget('a', 'One', 'open')]);
      expect(kept.place([gadget('b', 'Two', 'open')]).get('b')).toBe('staff');
      expect(kept.place([gadget('b', 'Two', 'open'), gadget('c', 'Three', 'open')]).get('c')).toBe('front');
    });

    it('ignores a damaged file', () => {
      for (const saved of [null, 7, [], { a: 3, b: 'no such place' }, { a: 'light', b: 'light' }]) {
        const state = new MemoryState();
        state.write('gadget_places', saved);
        const kept = new PersistedGadgetAssignments(wired, state, () => undefined);
        expect([...kept.place([gadget('b', 'Two', 'open')]).values()]).not.toContain('no such place');
      }
    });
  });

  it('never gives the same wiring to two gadgets', () => {
    const names = fc.constantFrom('Front door', 'Staff door', 'Light', 'Other');
    const actions = fc.subarray(['open', 'lock', 'on', 'off', 'bolt']);
    const some = fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', '__proto__'), names, actions), {
      selector: ([id]) => id,
    });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 6 }), rounds => {
        const kept = new PersistedGadgetAssignments(wired, new MemoryState(), () => undefined);
        let before = new Map<string, string | null>();
        for (const round of rounds) {
          const now = kept.place(round.map(([id, name, can]) => gadget(id, name, ...can)));
          const taken = [...now.values()].filter(key => key !== null);
          expect(new Set(taken).size).toBe(taken.length);
          for (const [id, key] of before) if (key !== null && now.has(id)) expect(now.get(id)).toBe(key);
          before = new Map(now);
        }
      }),
    );
  });
});
