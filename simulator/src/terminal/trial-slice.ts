import { createHash } from 'node:crypto';
import type { InputRule } from '@lintel/access-core/input-rules';
import { asPinDigits } from '@lintel/access-core/pin-digits';
import { CredentialDigests } from '@lintel/device-runtime/credentials/credential-digests';
import type { Slice } from '@lintel/wire-protocol/mqtt/messages/slice';
import { entryHash, SliceDigest } from '@lintel/wire-protocol/mqtt/slice-digest';
import { type SliceEntry, sliceEntry } from '@lintel/wire-protocol/mqtt/slice-entry';
import { cardUid } from '@lintel/wire-protocol/rest/card';
import type { TrialGadget } from './trial-gadgets.ts';

export const demoMember = { name: 'Demo member', pin: '2580', card: '04a1b2c3d4e5f6' } as const;

const [SITE, DEVICE, NEIGHBOUR, GROUP] = ['site_trial', 'dev_trial', 'dev_neighbour', 'mg_trial'];

/** A member who may do everything at any time by default. */
export interface TrialMember {
  readonly id: string;
  readonly pins: readonly { readonly id: string; readonly digits: string }[];
  readonly cards: readonly { readonly id: string; readonly uid: string }[];
  readonly mayNothing?: boolean;
}

export const demoMembers: readonly TrialMember[] = [
  {
    id: 'mem_demo',
    pins: [{ id: 'mp_demo', digits: demoMember.pin }],
    cards: [{ id: 'mc_demo', uid: demoMember.card }],
  },
];

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

const gadgetEntry = ({ id, key, name, actions, states, signals }: TrialGadget, created_at: number): object => ({
  type: 'gadget',
  id,
  site_id: SITE,
  device_id: key === null ? NEIGHBOUR : DEVICE,
  name,
  created_at,
  actions,
  states,
  signals,
});

const memberEntry = (
  digests: CredentialDigests,
  { id: member, pins, cards, mayNothing = false }: TrialMember,
): object => ({
  type: 'member',
  id: member,
  is_deleted: false,
  starts_at: null,
  ends_at: null,
  group_associations: mayNothing
    ? []
    : [{ id: `mga_${member}`, member_group_id: GROUP, starts_at: null, ends_at: null }],
  pins: pins.map(({ id, digits }) => ({ id, digest: digests.pin(asPinDigits(digits)!) })),
  cards: cards.map(({ id, uid }) => ({ id, digest: digests.card(cardUid.parse(uid)) })),
  tokens: [],
});

/** What a bridge would send to this controller if these were all its members, and allowed everything. */
export const trialSlice = (
  gadgets: readonly TrialGadget[],
  input_rules: readonly InputRule[],
  members: readonly TrialMember[],
  digestKey: Uint8Array,
): Slice => {
  const digests = new CredentialDigests(digestKey);
  const put: SliceEntry[] = [
    { type: 'device', id: DEVICE, site_id: SITE, name: 'Trial', input_rules },
    { type: 'site', id: SITE, name: 'Trial', timezone: 'UTC', geo: null },
    ...gadgets.map(gadgetEntry),
    { type: 'member_group', id: GROUP, permissions: [{}] },
    ...members.map(member => memberEntry(digests, member)),
  ].map(entry => sliceEntry.parse(entry));
  const digest = new SliceDigest();
  for (const entry of put) digest.add(entryHash(entry, sha256));
  const whole = { v: 1, from: null, to: 1, chunk: 0, chunks: 1, drop: [] } as const;
  return { ...whole, drop: [], digest_key_id: digests.keyId, put, digest: digest.toString() };
};
