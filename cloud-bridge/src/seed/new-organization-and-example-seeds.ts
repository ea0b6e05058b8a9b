import { DAY_MS } from '@lintel/access-core/durations';

/** What a new organization is made of. */
export interface OrganizationSeedInput {
  readonly key: string;
  readonly name: string;
  readonly owner: { readonly email: string; readonly password: string };
  readonly timezone: string;
}

const OPENING_SECOND = 8 * 3600;
const CLOSING_SECOND = 18 * 3600;

const doorNames = { front: 'Front door', meeting: 'Meeting room', storage: 'Storage room' } as const;

const door = (key: string, name: string) => ({
  key,
  device: 'controller',
  name,
  actions: [{ id: 'open', name: 'Open' }],
  states: [
    { id: 'locked', name: 'Locked' },
    { id: 'unlocked', name: 'Unlocked' },
  ],
});

const workdays = Array.from({ length: 7 }, (_, day) => ({
  ranges: day < 5 ? [{ start: OPENING_SECOND, end: CLOSING_SECOND }] : [],
}));

/** The content of a seed file: the organization, its owner and one site. */
export const createOrganizationSeed = ({ key, name, owner, timezone }: OrganizationSeedInput) => ({
  organization: { key, name },
  users: [{ key: 'owner', ...owner, role: 'owner' }],
  sites: [{ key: 'site', name, timezone }],
});

/** Three virtual doors, a schedule, two groups and two members with a PIN. */
export const createExampleSeed = (pins: readonly [ann: string, ben: string], now: number) => ({
  devices: [
    {
      key: 'controller',
      site: 'site',
      name: 'Virtual controller',
      product_id: 'virtual',
      input_rules: [
        { code: '', gadget: 'front', action_id: 'open' },
        { code: '*1', gadget: 'meeting', action_id: 'open' },
        { code: '*2', gadget: 'storage', action_id: 'open' },
      ],
    },
  ],
  gadgets: Object.entries(doorNames).map(([key, name]) => door(key, name)),
  schedules: [{ key: 'office_hours', name: 'Office hours', weekdays: workdays }],
  member_groups: [
    { key: 'staff', name: 'Staff', permissions: [{ site: 'site' }] },
    {
      key: 'visitors',
      name: 'Visitors',
      permissions: [{ gadget: 'front' }, { gadget: 'meeting', schedule: 'office_hours' }],
    },
  ],
  members: [
    { key: 'ann', name: 'Ann Example', groups: ['staff'], pins: [pins[0]] },
    {
      key: 'ben',
      name: 'Ben Example',
      groups: ['visitors'],
      pins: [pins[1]],
      ends_at: new Date(now + 7 * DAY_MS).toISOString(),
    },
  ],
});
