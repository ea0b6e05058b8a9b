import { describe, expect, it } from 'vitest';
import { toApiGadgets } from './api-gadgets.ts';
import { loadProfiles } from './load-profiles.ts';

const shipped = (id: string) => loadProfiles().find(({ product_id }) => product_id === id)!;

const idsOf = (id: string) =>
  toApiGadgets(shipped(id)).map(({ name, actions, states, signals }) => [
    name,
    ...[actions, states, signals].map(list => list.map(one => one.id).join(' ')),
  ]);

describe('toApiGadgets', () => {
  it('lists the wired gadgets of a claimed device in order, with all states and signals', () => {
    expect(idsOf('rpi-gpio-acr122u')).toEqual([
      [
        'Door',
        'open unlock lock',
        'locked unlocked open held_open forced',
        'exit_button pre_alarm held_open forced contact_fault',
      ],
      ['Gate', 'open', '', ''],
      ['Light', 'on off', 'on off', ''],
    ]);
  });

  it('omits what the wiring cannot report', () => {
    expect(idsOf('usb-only')[0]).toEqual(['Door', 'open unlock lock', 'locked unlocked', '']);
  });

  it('has display names', () => {
    expect(toApiGadgets(shipped('rpi-modbus-8')).at(-1)!.actions[0]).toEqual({ id: 'floor_1', name: 'Floor 1' });
    expect(toApiGadgets(shipped('rpi-osdp'))[0]!.states[3]).toEqual({ id: 'held_open', name: 'Held open' });
  });

  it('is empty for a gateway', () => {
    expect(toApiGadgets(shipped('gateway'))).toEqual([]);
  });
});
