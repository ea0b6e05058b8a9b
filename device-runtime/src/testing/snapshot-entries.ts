import { createHash } from 'node:crypto';
import { toPinDigits } from '@lintel/access-core/pin-digits';
import { hashSnapshotEntry, SnapshotDigest } from '@lintel/wire-protocol/mqtt/snapshot-digest';
import { type SnapshotEntry, snapshotEntrySchema } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import type { SnapshotChunkMqttMessage } from '@lintel/wire-protocol/mqtt/messages/snapshot-chunk';
import type { MagicLinkToken } from '@lintel/wire-protocol/guest/magic-link-url';
import { cardUidSchema } from '@lintel/wire-protocol/rest/card-uid';
import type { DeviceCredentialDigester } from '../credentials/credential-digests.ts';

export const TEST_DEVICE_ID = 'dev_own';

const entry = (fields: object): SnapshotEntry => snapshotEntrySchema.parse(fields);

export const createDeviceEntry = (input_rules: readonly object[] = []): SnapshotEntry =>
  entry({ type: 'device', id: TEST_DEVICE_ID, site_id: 'site_1', name: 'Front', input_rules });

export const createSiteEntry = (): SnapshotEntry =>
  entry({ type: 'site', id: 'site_1', name: 'Main', timezone: 'Europe/Madrid', geo: null });

const named = (ids: readonly string[]) => ids.map(id => ({ id, name: id }));

interface GadgetFields {
  readonly id: string;
  readonly device_id?: string;
  readonly created_at?: number;
  readonly actions?: readonly string[];
  readonly states?: readonly string[];
  readonly signals?: readonly string[];
}

export const createGadgetEntry = ({
  id,
  device_id = TEST_DEVICE_ID,
  created_at = 1,
  ...names
}: GadgetFields): SnapshotEntry =>
  entry({
    type: 'gadget',
    id,
    site_id: 'site_1',
    device_id,
    name: id,
    created_at,
    actions: named(names.actions ?? ['open', 'unlock', 'lock']),
    states: named(names.states ?? []),
    signals: named(names.signals ?? []),
  });

export const createMemberGroupEntry = (id: string, permissions: readonly object[]): SnapshotEntry =>
  entry({ type: 'member_group', id, permissions });

interface MemberFields {
  readonly pins?: readonly string[];
  /** Those of the PINs with which a longer PIN begins. */
  readonly extendedPins?: readonly string[];
  readonly cards?: readonly string[];
  /** Public keys. */
  readonly tokens?: readonly string[];
  /** Tokens of magic links. */
  readonly magicLinks?: readonly MagicLinkToken[];
  readonly groups?: readonly string[];
  readonly starts_at?: number | null;
  readonly ends_at?: number | null;
}

/** A member as the bridge sends it to this device: credentials as digests under its key. */
export const createMemberEntry = (
  digests: DeviceCredentialDigester,
  id: string,
  fields: MemberFields,
): SnapshotEntry => {
  const pinDigest = (digits: string): string => digests.pin(toPinDigits(digits)!);
  return entry({
    type: 'member',
    id,
    is_deleted: false,
    starts_at: fields.starts_at ?? null,
    ends_at: fields.ends_at ?? null,
    group_associations: (fields.groups ?? []).map((group, index) => ({
      id: `mga_${id}-${index}`,
      member_group_id: group,
      starts_at: null,
      ends_at: null,
    })),
    pins: (fields.pins ?? []).map(pin => ({
      id: `mp_${id}-${pin.length}`,
      digest: pinDigest(pin),
      ...(fields.extendedPins?.includes(pin) === true ? { extended: true } : {}),
    })),
    cards: (fields.cards ?? []).map((card, index) => ({
      id: `mc_${id}-${index}`,
      digest: digests.card(cardUidSchema.parse(card)),
    })),
    tokens: (fields.tokens ?? []).map((public_key, index) => ({ id: `mt_${id}-${index}`, public_key })),
    magic_links: (fields.magicLinks ?? []).map((token, index) => ({
      id: `mml_${id}-${index}`,
      digest: digests.magicLink(token),
    })),
  });
};

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

export const computeEntriesDigest = (entries: Iterable<SnapshotEntry>): string => {
  const digest = new SnapshotDigest();
  for (const one of entries) digest.add(hashSnapshotEntry(one, sha256));
  return digest.toString();
};

/** A complete snapshot in one chunk. */
export const createSnapshotChunk = (
  entries: readonly SnapshotEntry[],
  to: number,
  digest_key_id: string,
): SnapshotChunkMqttMessage => ({
  v: 1,
  from: null,
  to,
  digest_key_id,
  chunk: 0,
  chunks: 1,
  put: [...entries],
  drop: [],
  digest: computeEntriesDigest(entries),
});
