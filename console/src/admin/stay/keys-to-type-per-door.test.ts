import type { ActionAccess } from '@lintel/wire-protocol/admin/effective-access';
import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import { describe, expect, it } from 'vitest';
import { listPinEntries } from './keys-to-type-per-door.ts';

const doors = ['front', 'room', 'garage'].map(id => ({ id, name: id }) as unknown as GadgetResponse);
const device = (keypad: boolean, rules: readonly [string, string, string][]): DeviceResponse =>
  ({
    capabilities: { pin: keypad },
    input_rules: rules.map(([code, gadget_id, action_id]) => ({ code, gadget_id, action_id })),
  }) as unknown as DeviceResponse;
const access = (gadget_id: string, access_methods: readonly string[]): ActionAccess =>
  ({ gadget_id, action_id: 'open', grants: [{ access_methods }] }) as unknown as ActionAccess;

describe('listPinEntries', () => {
  it('lists the code before the PIN for each door that the PIN may open', () => {
    const devices = [
      device(true, [
        ['', 'front', 'open'],
        ['103', 'room', 'open'],
        ['99', 'room', 'unlock'],
      ]),
      device(true, [['103', 'room', 'open']]),
      device(false, [['', 'garage', 'open']]),
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
});
