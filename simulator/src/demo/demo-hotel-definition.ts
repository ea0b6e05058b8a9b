import { join } from 'node:path';
import { toApiGadgets } from '@lintel/hardware-profiles/api-gadgets';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import type { DemoLogins } from './stored-demo-state.ts';
import { computeStayDates, demoEmployees, demoRooms, demoStays } from './demo-people.ts';

/** Seed data of the demo: a small hotel with an annex in another time zone, and current guests. */

const HOUR = 3600;

export const buildDemoProfilePath = (name: 'front-door' | 'corridor'): string =>
  join(import.meta.dirname, '../../profiles', `${name}.json`);

const everyDay = (start: number, end: number) =>
  Array.from({ length: 7 }, () => ({ ranges: [{ start: start * HOUR, end: end * HOUR }] }));

/** The gadgets of a profile with the given seed keys. */
const doorsOf = (profile: 'front-door' | 'corridor', device: string, keys: readonly string[]) =>
  toApiGadgets(loadProfile(buildDemoProfilePath(profile))).map((gadget, index) => ({
    key: keys[index]!,
    device,
    ...gadget,
  }));

export const demoVirtualDevices = [{ key: 'annex-front', site: 'annex', name: 'Annex door' }] as const;

export const demoVirtualGadgets = [
  {
    key: 'annex-door',
    device: 'annex-front',
    name: 'Annex door',
    actions: [{ id: 'open', name: 'Open' }],
    states: [
      { id: 'closed', name: 'Closed' },
      { id: 'open', name: 'Open' },
    ],
    signals: [{ id: 'doorbell', name: 'Doorbell' }],
    state_id: 'closed',
  },
  {
    key: 'annex-light',
    device: 'annex-front',
    name: 'Annex light',
    actions: [
      { id: 'on', name: 'On' },
      { id: 'off', name: 'Off' },
    ],
    states: [
      { id: 'off', name: 'Off' },
      { id: 'on', name: 'On' },
    ],
    signals: [],
    state_id: 'off',
  },
] as const;

export const demoSites = [
  { key: 'main', name: 'Hotel Lintel, Barcelona', timezone: 'Europe/Madrid' },
  { key: 'annex', name: 'Annex, Las Palmas', timezone: 'Atlantic/Canary' },
] as const;

export const demoInputCodes: Readonly<Record<string, string>> = {
  'front-door': '',
  garage: '*1',
  ...Object.fromEntries(demoRooms.map(room => [`door-${room}`, room])),
};

const ruleTo = (gadget: string) => ({ code: demoInputCodes[gadget]!, gadget, action_id: 'open' });

const reservations = (now: number) =>
  demoStays.map(stay => ({
    key: stay.key,
    name: stay.name,
    ...computeStayDates(stay, now),
    groups: ['guests', `room-${stay.room}`],
    pins: [stay.pin],
    cards: stay.card === undefined ? [] : [{ uid: stay.card, name: `${stay.name}'s key card` }],
    emails: [`${stay.key}@example.test`],
    metadata: { source: 'demo', sourceID: `reservation-${stay.key}` },
  }));

const staff = () =>
  demoEmployees.map(({ key, name, groups, pin, card, email, tags }) => ({
    key,
    name,
    groups,
    pins: pin === undefined ? [] : [pin],
    cards: card === undefined ? [] : [{ uid: card, name: `${name}'s card` }],
    emails: email === undefined ? [] : [email],
    ...(tags === undefined ? {} : { tags }),
  }));

export const createDemoHotelSeed = (now: number, { admin, application }: DemoLogins) => ({
  organization: { key: 'hotel', name: 'Hotel Lintel', whitelabel: true },
  users: [{ key: 'admin', ...admin, name: 'Admin', role: 'owner' }],
  applications: [{ key: 'pms', name: 'Booking system', ...application, redirect_uris: ['http://localhost/callback'] }],
  tags: [{ key: 'vip', name: 'VIP', color: '#b8860b' }],
  sites: [
    {
      ...demoSites[0],
      geo: { location: { lat: 41.3874, lng: 2.1686 }, radius: 150 },
      map: { address: 'Carrer de la Llinda 1, Barcelona' },
      phone: '+34 555 010 101',
      email: 'desk@example.test',
      info: 'Breakfast from 7 to 11. The front desk is open all night.',
    },
    { ...demoSites[1], geo: { location: { lat: 28.1235, lng: -15.4363 }, radius: 100 } },
  ],
  devices: [
    {
      key: 'front',
      site: 'main',
      name: 'Front door',
      product_id: 'laptop-simulator',
      hardware_id: null,
      input_rules: ['front-door', 'garage'].map(ruleTo),
    },
    {
      key: 'corridor',
      site: 'main',
      name: 'First floor',
      product_id: 'laptop-simulator',
      hardware_id: null,
      input_rules: demoRooms.map(room => ruleTo(`door-${room}`)),
    },
    ...demoVirtualDevices.map(device => ({ ...device, product_id: 'virtual', hardware_id: null })),
  ],
  gadgets: [
    ...doorsOf('front-door', 'front', ['front-door', 'garage']),
    ...doorsOf(
      'corridor',
      'corridor',
      demoRooms.map(room => `door-${room}`),
    ),
    ...demoVirtualGadgets,
  ],
  schedules: [
    { key: 'working-hours', name: 'Working hours', weekdays: everyDay(7, 19) },
    { key: 'breakfast', name: 'Breakfast', weekdays: everyDay(7, 11) },
  ],
  member_groups: [
    {
      key: 'guests',
      name: 'Guests',
      permissions: [
        { gadget: 'front-door', action_id: 'open' },
        { gadget: 'garage', action_id: 'open', presence: 'gps' },
      ],
    },
    ...demoRooms.map(room => ({
      key: `room-${room}`,
      name: `Room ${room}`,
      permissions: [{ gadget: `door-${room}`, action_id: 'open' }],
    })),
    { key: 'cleaning', name: 'Cleaning', permissions: [{ site: 'main', schedule: 'working-hours' }] },
    { key: 'management', name: 'Management', permissions: [{}], tags: ['vip'] },
  ],
  members: [...reservations(now), ...staff()],
  gadget_triggers: [
    {
      key: 'annex-doorbell-light',
      source_gadget: 'annex-door',
      source_type: 'signal',
      source_signal_id: 'doorbell',
      target_gadget: 'annex-light',
      target_action_id: 'on',
    },
  ],
});
