/** The demonstration: a small hotel with an annex in another time zone, and guests around today. */

const DAY_MS = 86_400_000;
const HOUR = 3600;

const everyDay = (start: number, end: number) =>
  Array.from({ length: 7 }, () => ({ ranges: [{ start: start * HOUR, end: end * HOUR }] }));

const door = (key: string, device: string, name: string) => ({
  key,
  device,
  name,
  actions: [{ id: 'open', name: 'Open' }],
  states: [
    { id: 'closed', name: 'Closed' },
    { id: 'open', name: 'Open' },
  ],
  signals: [{ id: 'forced', name: 'Forced open' }],
  state_id: 'closed',
});

const rooms = ['101', '102', '103', '104'];

interface Stay {
  readonly key: string;
  readonly room: string;
  readonly from: number;
  readonly nights: number;
  readonly pin: string;
}

const stays: readonly Stay[] = [
  { key: 'ann', room: '101', from: -1, nights: 3, pin: '2580' },
  { key: 'bao', room: '102', from: 0, nights: 2, pin: '13579' },
  { key: 'carla', room: '103', from: 2, nights: 5, pin: '8642' },
  { key: 'dmitri', room: '101', from: 3, nights: 4, pin: '97531' },
];

/** Check-in at 13:00 UTC, check-out at 10:00 UTC. */
const reservation = ({ key, room, from, nights, pin }: Stay, today: number) => ({
  key,
  name: `Reservation ${key}`,
  starts_at: new Date(today + from * DAY_MS + 13 * HOUR * 1000).toISOString(),
  ends_at: new Date(today + (from + nights) * DAY_MS + 10 * HOUR * 1000).toISOString(),
  groups: ['guests', `room-${room}`],
  pins: [pin],
  emails: [`${key}@example.test`],
  metadata: { source: 'demo', sourceID: `reservation-${key}` },
});

export const adminLogin = { email: 'admin@example.test', password: 'open-sesame' };
export const tryThis = { pin: '2580', card: '04a1b2c3d4e5f6' };

export const demoHotel = (now: number) => {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  return {
    organization: { key: 'hotel', name: 'Hotel Lintel', whitelabel: true },
    users: [{ key: 'admin', ...adminLogin, name: 'Admin', role: 'owner' }],
    applications: [
      {
        key: 'pms',
        name: 'Booking system',
        client_id: 'demo-pms',
        client_secret: 'demo-pms-secret',
        redirect_uris: ['http://localhost/callback'],
      },
    ],
    tags: [{ key: 'vip', name: 'VIP', color: '#b8860b' }],
    sites: [
      {
        key: 'main',
        name: 'Hotel Lintel, Barcelona',
        timezone: 'Europe/Madrid',
        geo: { location: { lat: 41.3874, lng: 2.1686 }, radius: 150 },
        map: { address: 'Carrer de la Llinda 1, Barcelona' },
        phone: '+34 555 010 101',
        email: 'desk@example.test',
        info: 'Breakfast from 7 to 11. The front desk is open all night.',
      },
      {
        key: 'annex',
        name: 'Annex, Las Palmas',
        timezone: 'Atlantic/Canary',
        geo: { location: { lat: 28.1235, lng: -15.4363 }, radius: 100 },
      },
    ],
    devices: [
      {
        key: 'front',
        site: 'main',
        name: 'Front door',
        product_id: 'virtual',
        hardware_id: null,
        input_rules: [
          { code: '', gadget: 'front-door', action_id: 'open' },
          { code: '*1', gadget: 'garage', action_id: 'open' },
        ],
      },
      {
        key: 'corridor',
        site: 'main',
        name: 'First floor',
        product_id: 'virtual',
        hardware_id: null,
        input_rules: rooms.map(room => ({ code: room, gadget: `door-${room}`, action_id: 'open' })),
      },
      { key: 'annex-front', site: 'annex', name: 'Annex door', product_id: 'virtual', hardware_id: null },
    ],
    gadgets: [
      door('front-door', 'front', 'Front door'),
      door('garage', 'front', 'Garage'),
      ...rooms.map(room => door(`door-${room}`, 'corridor', `Room ${room}`)),
      door('annex-door', 'annex-front', 'Annex door'),
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
      ...rooms.map(room => ({
        key: `room-${room}`,
        name: `Room ${room}`,
        permissions: [{ gadget: `door-${room}`, action_id: 'open' }],
      })),
      { key: 'cleaning', name: 'Cleaning', permissions: [{ site: 'main', schedule: 'working-hours' }] },
      { key: 'management', name: 'Management', permissions: [{}], tags: ['vip'] },
    ],
    members: [
      ...stays.map(stay => reservation(stay, today)),
      { key: 'eva', name: 'Eva, cleaning', groups: ['cleaning'], pins: ['4711'], cards: [{ uid: '04112233445566' }] },
      {
        key: 'frank',
        name: 'Frank, manager',
        groups: ['management'],
        cards: [{ uid: tryThis.card, name: "Frank's card" }],
        emails: ['frank@example.test'],
        tags: ['vip'],
      },
    ],
    gadget_triggers: [],
  };
};
