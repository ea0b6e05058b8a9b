import { DAY_MS, HOUR_MS } from '@lintel/access-core/durations';

/** The fictional guests and employees of the demo. */

export const demoRooms = ['101', '102', '103', '104'] as const;

export interface DemoCredentialHolder {
  readonly key: string;
  readonly name: string;
  readonly pin?: string;
  readonly card?: string;
  readonly hasPhone?: boolean;
}

interface Stay extends DemoCredentialHolder {
  readonly room: (typeof demoRooms)[number];
  /** Days from today. */
  readonly from: number;
  readonly nights: number;
  readonly pin: string;
}

interface Employee extends DemoCredentialHolder {
  readonly about: string;
  readonly groups: readonly string[];
  readonly doors: readonly string[];
  readonly email?: string;
  readonly tags?: readonly string[];
}

export const demoStays: readonly Stay[] = [
  { key: 'ann', name: 'Ann Berg', room: '101', from: -1, nights: 3, pin: '2580', card: '04a1b2c3d4e5f6' },
  { key: 'bao', name: 'Bao Tran', room: '102', from: 0, nights: 2, pin: '13579', hasPhone: true },
  { key: 'carla', name: 'Carla Ruiz', room: '103', from: 2, nights: 5, pin: '8642' },
  { key: 'dmitri', name: 'Dmitri Orlov', room: '101', from: 3, nights: 4, pin: '97531' },
];

const roomDoors = demoRooms.map(room => `door-${room}`);

export const demoEmployees: readonly Employee[] = [
  {
    key: 'eva',
    name: 'Eva Lind',
    about: 'Cleaning, from 7:00 to 19:00',
    groups: ['cleaning'],
    doors: ['front-door', 'garage', ...roomDoors],
    pin: '4711',
    card: '04112233445566',
  },
  {
    key: 'frank',
    name: 'Frank Moll',
    about: 'Manager, every door at any time',
    groups: ['management'],
    doors: ['front-door', 'garage', ...roomDoors],
    card: '04c0ffee012345',
    hasPhone: true,
    email: 'frank@example.test',
    tags: ['vip'],
  },
];

export const computeStartOfUtcDay = (now: number): number => Math.floor(now / DAY_MS) * DAY_MS;

/** Check-in at 13:00 UTC, check-out at 10:00 UTC. A stay that begins today starts at midnight. */
export const computeStayDates = ({ from, nights }: Pick<Stay, 'from' | 'nights'>, now: number) => {
  const today = computeStartOfUtcDay(now);
  const hours = from === 0 ? 0 : 13;
  return {
    starts_at: new Date(today + from * DAY_MS + hours * HOUR_MS).toISOString(),
    ends_at: new Date(today + (from + nights) * DAY_MS + 10 * HOUR_MS).toISOString(),
  };
};

const dayMonth = (iso: string): string =>
  new Date(iso).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

export const describeStay = (stay: Stay, now: number): string => {
  const { starts_at, ends_at } = computeStayDates(stay, now);
  return `Room ${stay.room}, ${dayMonth(starts_at)} to ${dayMonth(ends_at)}`;
};

export const listDoorsOfStay = ({ room }: Stay): readonly string[] => ['front-door', 'garage', `door-${room}`];
