import { describe, expect, it } from 'vitest';
import { listPinEntries } from './pin-entries.ts';

const actions = [{ id: 'open' }, { id: 'unlock' }];
const doors = ['front', 'room', 'garage'].map(id => ({ id, device_id: `controller of ${id}`, actions }));
const device = (id: string, keypad: boolean, rules: readonly [string, string, string][]) => ({
  id,
  capabilities: { pin: keypad },
  input_rules: rules.map(([code, gadget_id, action_id]) => ({ code, gadget_id, action_id })),
});
const access = (gadget_id: string, access_methods: readonly string[]) => ({
  gadget_id,
  action_id: 'open',
  grants: [{ access_methods }],
});

describe('listPinEntries', () => {
  it('lists the code before the PIN for each door that the PIN may open', () => {
    const devices = [
      device('a', true, [
        ['', 'front', 'open'],
        ['103', 'room', 'open'],
        ['99', 'room', 'unlock'],
      ]),
      device('b', true, [['103', 'room', 'open']]),
      device('c', false, [['', 'garage', 'open']]),
    ];
    const entries = listPinEntries(
      [access('front', ['pin', 'card']), access('room', ['pin']), access('garage', ['pin'])],
      doors,
      devices,
    );
    expect(entries.map(({ door, code }) => [door.id, code])).toEqual([
      ['front', ''],
      ['room', '103'],
    ]);
    expect(listPinEntries([access('front', ['card'])], doors, devices)).toEqual([]);
  });

  it('lists the first gadget of a keypad without rules', () => {
    const devices = [device('controller of room', true, []), device('controller of garage', false, [])];
    const entries = listPinEntries([access('room', ['pin']), access('garage', ['pin'])], doors, devices);
    expect(entries.map(({ door, code }) => [door.id, code])).toEqual([['room', '']]);
  });
});
