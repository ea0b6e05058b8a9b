import { join } from 'node:path';
import type { Member } from '@lintel/access-core/access-model';
import { asPinDigits } from '@lintel/access-core/pin-digits';
import { SliceTable } from '../../../device-runtime/src/snapshot/store/snapshot-table.ts';
import type { CredentialDigests } from '@lintel/device-runtime/credentials/credential-digests';
import { SliceDigest } from '@lintel/wire-protocol/mqtt/slice-digest';
import { type SliceEntry, sliceEntry } from '@lintel/wire-protocol/mqtt/slice-entry';
import { properPrefixesOfPin } from '@lintel/wire-protocol/mqtt/credential-digest';
import { cardUid } from '@lintel/wire-protocol/rest/card';
import { makeHotel, makeMembers } from '../decide-fixture/hotel.ts';
import { makeId } from '../decide-fixture/quick-texts.ts';
import { SeededRandom } from '../decide-fixture/seeded-random.ts';

/* One door, and so many members who may open it by PIN or card. */

const random = new SeededRandom(9);
const ids = {
  device: makeId('device', random),
  site: makeId('site', random),
  gadget: makeId('gadget', random),
  group: makeId('member_group', random),
};

export const doorEntries = (): SliceEntry[] =>
  [
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
    { type: 'member_group', id: ids.group, permissions: [{ gadget_id: ids.gadget, action_id: 'open' }] },
  ].map(entry => sliceEntry.parse(entry));

export const pinOf = (number: number): string => String(number * 97 + 10_000_000);
export const uidOf = (number: number): string => `04${number.toString(16).padStart(12, '0')}`;

/** Every second has a PIN of eight digits, the others a card: with real digests, so that they can really come in. */
export function* keyholders(
  count: number,
  digests: CredentialDigests,
  uidOfNumber: (number: number) => string = uidOf,
): Generator<SliceEntry> {
  const own = new SeededRandom(4);
  for (let number = 0; number < count; number++) {
    const digestOf = (digits: string): string => digests.pin(asPinDigits(digits)!);
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
      pins:
        number % 2 === 0
          ? [
              {
                id: makeId('member_pin', own),
                digest: digestOf(pin),
                prefix_digests: properPrefixesOfPin(pin).map(digestOf),
              },
            ]
          : [],
      cards:
        number % 2 === 1
          ? [{ id: makeId('member_card', own), digest: digests.card(cardUid.parse(uidOfNumber(number))) }]
          : [],
      tokens: [],
    };
  }
}

/** The members of the hotels, for their weight only. */
export function* hotelGuests(count: number): Generator<SliceEntry> {
  for (const member of makeMembers(makeHotel(), count)) yield { type: 'member', ...(member satisfies Member) };
}

/** As the controller would have cached it. */
export const writeSlice = (folder: string, entries: Iterable<SliceEntry>, digest_key_id: string): void => {
  const table = new SliceTable(join(folder, 'slice.db'));
  const digest = new SliceDigest();
  table.begin();
  for (const entry of entries) digest.add(table.put(entry).now);
  table.commit({ revision: 1, digest: digest.toString(), digest_key_id });
  table.close();
};
