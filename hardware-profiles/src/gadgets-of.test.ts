import { expect, it } from 'vitest';
import { gadgetsOf } from './gadgets-of.ts';
import { loadProfiles } from './load-profiles.ts';

const shipped = (id: string) => loadProfiles().find(({ product_id }) => product_id === id)!;

const idsOf = (id: string) =>
  gadgetsOf(shipped(id)).map(({ name, actions, states, signals }) => [
    name,
    ...[actions, states, signals].map(list => list.map(one => one.id).join(' ')),
  ]);

it('gives a claimed device the gadgets that are wired, in order, with all that they can say', () => {
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

it('does not promise what the wires cannot tell', () => {
  expect(idsOf('usb-only')[0]).toEqual(['Door', 'open unlock lock', 'locked unlocked', '']);
});

it('has names for people', () => {
  expect(gadgetsOf(shipped('rpi-modbus-8')).at(-1)!.actions[0]).toEqual({ id: 'floor_1', name: 'Floor 1' });
  expect(gadgetsOf(shipped('rpi-osdp'))[0]!.states[3]).toEqual({ id: 'held_open', name: 'Held open' });
});

it('gives a gateway none', () => {
  expect(gadgetsOf(shipped('gateway'))).toEqual([]);
});
