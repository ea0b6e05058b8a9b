import { createHash } from 'node:crypto';
import type { InputRule } from '@lintel/access-core/input-rules';
import { toPinDigits } from '@lintel/access-core/pin-digits';
import { DeviceCredentialDigester } from '@lintel/device-runtime/credentials/credential-digests';
import type { SnapshotChunkMqttMessage } from '@lintel/wire-protocol/mqtt/messages/snapshot-chunk';
import { hashSnapshotEntry, SnapshotDigest } from '@lintel/wire-protocol/mqtt/snapshot-digest';
import { type SnapshotEntry, snapshotEntrySchema } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { cardUidSchema } from '@lintel/wire-protocol/rest/card-uid';
import type { MappedGadget } from './map-input-rules-to-gadgets.ts';

export const terminalDemoMemberCredentials = { name: 'Demo member', pin: '2580', card: '04a1b2c3d4e5f6' } as const;

const [SITE, DEVICE, OTHER_DEVICE, GROUP] = ['site_local', 'dev_local', 'dev_other', 'mg_local'];

/** A member with access to everything, unless `hasNoAccess` is set. */
export interface LocalSnapshotMember {
  readonly id: string;
  readonly pins: readonly { readonly id: string; readonly digits: string }[];
  readonly cards: readonly { readonly id: string; readonly uid: string }[];
  readonly hasNoAccess?: boolean;
}

export const terminalDemoSnapshotMembers: readonly LocalSnapshotMember[] = [
  {
    id: 'mem_demo',
    pins: [{ id: 'mp_demo', digits: terminalDemoMemberCredentials.pin }],
    cards: [{ id: 'mc_demo', uid: terminalDemoMemberCredentials.card }],
  },
];

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

const gadgetEntry = ({ id, key, name, actions, states, signals }: MappedGadget, created_at: number): object => ({
  type: 'gadget',
  id,
  site_id: SITE,
  device_id: key === null ? OTHER_DEVICE : DEVICE,
  name,
  created_at,
  actions,
  states,
  signals,
});

const memberEntry = (
  digests: DeviceCredentialDigester,
  { id: member, pins, cards, hasNoAccess = false }: LocalSnapshotMember,
): object => ({
  type: 'member',
  id: member,
  is_deleted: false,
  starts_at: null,
  ends_at: null,
  group_associations: hasNoAccess
    ? []
    : [{ id: `mga_${member}`, member_group_id: GROUP, starts_at: null, ends_at: null }],
  pins: pins.map(({ id, digits }) => ({ id, digest: digests.pin(toPinDigits(digits)!) })),
  cards: cards.map(({ id, uid }) => ({ id, digest: digests.card(cardUidSchema.parse(uid)) })),
  tokens: [],
});

/** Creates the access snapshot that a bridge would send for these gadgets, rules and members. */
export const createLocalSnapshotMessage = (
  gadgets: readonly MappedGadget[],
  input_rules: readonly InputRule[],
  members: readonly LocalSnapshotMember[],
  digestKey: Uint8Array,
): SnapshotChunkMqttMessage => {
  const digests = new DeviceCredentialDigester(digestKey);
  const put: SnapshotEntry[] = [
    { type: 'device', id: DEVICE, site_id: SITE, name: 'Local', input_rules },
    { type: 'site', id: SITE, name: 'Local', timezone: 'UTC', geo: null },
    ...gadgets.map(gadgetEntry),
    { type: 'member_group', id: GROUP, permissions: [{}] },
    ...members.map(member => memberEntry(digests, member)),
  ].map(entry => snapshotEntrySchema.parse(entry));
  const digest = new SnapshotDigest();
  for (const entry of put) digest.add(hashSnapshotEntry(entry, sha256));
  const whole = { v: 1, from: null, to: 1, chunk: 0, chunks: 1, drop: [] } as const;
  return { ...whole, drop: [], digest_key_id: digests.keyId, put, digest: digest.toString() };
};
