import type { Member } from '@lintel/access-core/access-data-types';
import { toPinDigits } from '@lintel/access-core/pin-digits';
import type { DeviceCredentialDigester } from '@lintel/device-runtime/credentials/credential-digests';
import { type SnapshotEntry, snapshotEntrySchema } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { cardUidSchema } from '@lintel/wire-protocol/rest/card-uid';
import { makeHotel, makeMembers } from '../decide-fixture/generate-hotel-members-and-requests.ts';
import { fakeDigest, makeId } from '../decide-fixture/fake-ids-and-digests.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

/* The snapshot of a controller with one door. */

const random = new SeededRandom(9);
const ids = {
  device: makeId('device', random),
  site: makeId('site', random),
  gadget: makeId('gadget', random),
  group: makeId('member_group', random),
  schedule: makeId('schedule', random),
};

const scheduleEntry = {
  type: 'schedule',
  id: ids.schedule,
  weekdays: Array.from({ length: 7 }, () => ({
    ranges: [
      { start: 0, end: 43_200 },
      { start: 43_200, end: 86_400 },
    ],
  })),
};

/** With a schedule, the permission holds at all times of the week, but every decision has to look at the time. */
export const doorEntries = ({ hasSchedule = false } = {}): SnapshotEntry[] =>
  [
    ...(hasSchedule ? [scheduleEntry] : []),
    { type: 'device', id: ids.device, site_id: ids.site, name: 'Door', input_rules: [] },
    { type: 'site', id: ids.site, name: 'Main', timezone: 'Europe/Madrid', geo: null },
    {
      type: 'gadget',
      id: ids.gadget,
      site_id: ids.site,
      device_id: ids.device,
      name: 'Door',
      created_at: 1,
      actions: [{ id: 'open', name: 'Open' }],
      states: [],
      signals: [],
    },
    {
      type: 'member_group',
      id: ids.group,
      permissions: [
        { gadget_id: ids.gadget, action_id: 'open', ...(hasSchedule ? { schedule_id: ids.schedule } : {}) },
      ],
    },
  ].map(entry => snapshotEntrySchema.parse(entry));

export const pinOf = (number: number): string => String(number * 97 + 10_000_000);
export const uidOf = (number: number): string => `04${number.toString(16).padStart(12, '0')}`;

/** Members that may open the door. Even numbers have a PIN of eight digits, odd numbers a card, with real digests. */
export function* membersWithCredentials(
  count: number,
  digests: DeviceCredentialDigester,
  toUid: (number: number) => string = uidOf,
): Generator<SnapshotEntry> {
  const own = new SeededRandom(4);
  for (let number = 0; number < count; number++) {
    const digestOf = (digits: string): string => digests.pin(toPinDigits(digits)!);
    const pin = pinOf(number);
    yield {
      type: 'member',
      id: makeId('member', own),
      is_deleted: false,
      starts_at: null,
      ends_at: null,
      group_associations: [
        { id: makeId('member_group_association', own), member_group_id: ids.group, starts_at: null, ends_at: null },
      ],
      pins: number % 2 === 0 ? [{ id: makeId('member_pin', own), digest: digestOf(pin) }] : [],
      cards:
        number % 2 === 1
          ? [{ id: makeId('member_card', own), digest: digests.card(cardUidSchema.parse(toUid(number))) }]
          : [],
      tokens: [],
    };
  }
}

/** Members without access, to measure memory. */
export function* hotelGuests(count: number): Generator<SnapshotEntry> {
  for (const member of makeMembers(makeHotel(), count)) yield { type: 'member', ...(member satisfies Member) };
}

/** The same members, each with another card. */
export function* hotelGuestsWithTwoCredentials(count: number): Generator<SnapshotEntry> {
  const own = new SeededRandom(5);
  for (const member of makeMembers(makeHotel(), count)) {
    const card = { id: makeId('member_card', own), digest: fakeDigest(own.below(2 ** 32), own.below(2 ** 32)) };
    yield { type: 'member', ...member, cards: [...member.cards, card] };
  }
}
