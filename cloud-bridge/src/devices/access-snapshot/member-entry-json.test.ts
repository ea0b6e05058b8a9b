import { encodeCanonicalSnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-digest';
import { snapshotEntrySchema } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCredentialDigester } from '@lintel/crypto/credential-digester';
import { serializeMemberEntry } from './member-entry-json.ts';
import type { MemberWithCredentials } from './members-with-credentials.ts';

const digester = createCredentialDigester(new Uint8Array(32));
const id = (prefix: string) => fc.stringMatching(/^[0-9a-z]{1,26}$/).map(text => `${prefix}${text}`);
const time = fc.option(fc.integer({ min: -1e13, max: 1e13 }));
const flag = fc.constantFrom(0 as const, 1 as const);
const groups = ['mg_a', 'mg_b', 'mg_gone', 'mg_other'];

const members: fc.Arbitrary<MemberWithCredentials> = fc.record({
  id: id('mem_'),
  is_deleted: fc.constant(0 as const),
  starts_at: time,
  ends_at: time,
  associations: fc.array(
    fc.record({
      id: id('mga_'),
      member_group_id: fc.constantFrom(...groups),
      starts_at: time,
      ends_at: time,
      is_deleted: flag,
    }),
    { maxLength: 5 },
  ),
  pins: fc.array(fc.record({ id: id('mp_'), digits: fc.stringMatching(/^[0-9]{4,20}$/), isExtended: fc.boolean() }), {
    maxLength: 3,
  }),
  cards: fc.array(fc.record({ id: id('mc_'), uid: fc.stringMatching(/^([0-9a-f]{2}){4,10}$/) }), { maxLength: 3 }),
  tokens: fc.array(fc.record({ id: id('mt_'), public_key: fc.base64String() }), { maxLength: 2 }),
  magicLinks: fc.array(fc.record({ id: id('mml_'), token: fc.stringMatching(/^[A-Za-z0-9_-]{43}$/) }), {
    maxLength: 2,
  }),
});

const groupsOfController = { relevant: new Set(['mg_a', 'mg_b']), exists: (group: string) => group !== 'mg_gone' };

describe('serializeMemberEntry', () => {
  it('returns the canonical text of a valid entry, so that its hash matches the digest', () => {
    fc.assert(
      fc.property(members, member => {
        const text = serializeMemberEntry(member, groupsOfController, digester);
        const entry = snapshotEntrySchema.parse(JSON.parse(text));
        expect(encodeCanonicalSnapshotEntry(entry)).toBe(text);
      }),
    );
  });

  it('contains neither PIN digits nor card UIDs nor tokens of magic links', () => {
    const member: MemberWithCredentials = {
      id: 'mem_1',
      is_deleted: 0,
      starts_at: null,
      ends_at: null,
      associations: [],
      pins: [{ id: 'mp_1', digits: '31415926', isExtended: false }],
      cards: [{ id: 'mc_1', uid: '04a1b2c3' }],
      tokens: [],
      magicLinks: [{ id: 'mml_1', token: 'secret-token' }],
    };
    const text = serializeMemberEntry(member, groupsOfController, digester);
    for (const secret of ['31415926', '3141', '04a1b2c3', 'secret-token']) expect(text).not.toContain(`"${secret}`);
    expect(JSON.parse(text)).toMatchObject({
      magic_links: [{ id: 'mml_1' }],
    });
  });
});
