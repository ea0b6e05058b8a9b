import type { DeviceId } from '@lintel/access-core/ids';
import { decodeFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { type DownKind, downTopic, type UpKind } from '@lintel/wire-protocol/mqtt/topics';
import type { UplinkDesk } from './uplink-desk.ts';

const peerKinds = ['peer-hello', 'peer-nonce', 'peer-request', 'peer-answer'] as const satisfies (UpKind & DownKind)[];
type PeerKind = (typeof peerKinds)[number];

export const isPeerKind = (kind: UpKind): kind is PeerKind => (peerKinds as readonly string[]).includes(kind);

/**
 * Carried from one controller to another of the same organization, as it is: they check one another's signatures
 * themselves. For gadgets of another site; within a site the gateway does this.
 */
export const routeToPeer = async (
  { sessions, transport }: UplinkDesk,
  device: DeviceId,
  kind: PeerKind,
  payload: Uint8Array,
): Promise<string | null> => {
  const frame = decodeFrame(payload);
  if (!frame.ok) return 'it is not signed';
  const { signer, audience } = frame.value.header;
  const [from, to] = [sessions.of(device), sessions.of(audience)];
  if (signer !== device || from === undefined) return 'it is signed by another';
  if (to?.organizationId !== from.organizationId) return 'nobody is there to hear it';
  await transport.publish(downTopic(to.deviceId, kind), payload);
  return null;
};
