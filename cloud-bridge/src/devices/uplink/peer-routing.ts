import type { DeviceId } from '@lintel/access-core/ids';
import { decodeUnverifiedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import {
  type DownlinkMessageKind,
  buildDownlinkTopic,
  type UplinkMessageKind,
} from '@lintel/wire-protocol/mqtt/topics';
import { findConnectedDownlinkRecipient } from '../find-connected-downlink-recipient.ts';
import type { UplinkDependencies } from './uplink-dependencies.ts';

const peerKinds = ['peer-hello', 'peer-nonce', 'peer-request', 'peer-answer'] as const satisfies (UplinkMessageKind &
  DownlinkMessageKind)[];
type PeerKind = (typeof peerKinds)[number];

export const isPeerMessageKind = (kind: UplinkMessageKind): kind is PeerKind =>
  (peerKinds as readonly string[]).includes(kind);

/**
 * Forwards a message unchanged to another controller of the organization. The recipient verifies the signature. Used for
 * gadgets of other sites; within a site the gateway forwards.
 */
export const forwardPeerMessage = async (
  { services: { storage }, sessions, transport }: UplinkDependencies,
  device: DeviceId,
  kind: PeerKind,
  payload: Uint8Array,
): Promise<string | null> => {
  const frame = decodeUnverifiedFrame(payload);
  if (!frame.ok) return 'not signed';
  const { signer, audience } = frame.value.header;
  const from = await findConnectedDownlinkRecipient(storage, sessions, device);
  if (signer !== device || from === null) return 'signed by another device';
  const to = await findConnectedDownlinkRecipient(storage, sessions, audience as DeviceId);
  if (to?.organizationId !== from.organizationId) return 'the recipient is not connected';
  await transport.publish(buildDownlinkTopic(to.deviceId, kind), payload);
  return null;
};
