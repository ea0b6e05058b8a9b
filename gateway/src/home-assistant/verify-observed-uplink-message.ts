import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { verifyAndDecodeFrame } from '@lintel/device-link/session/frames/verify-frame';
import type { MqttMessageContent } from '@lintel/wire-protocol/mqtt/message-definitions';
import { decodeUnverifiedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { parseMqttTopic } from '@lintel/wire-protocol/mqtt/topics';
import type { PeerDirectory } from '../site/peer-directory.ts';

const observedKinds = ['hello', 'state', 'status', 'events'] as const;
type ObservedKind = (typeof observedKinds)[number];

export type ObservedUplinkMessage = {
  [K in ObservedKind]: { readonly kind: K; readonly message: MqttMessageContent<K> };
}[ObservedKind];

const isObserved = (kind: string): kind is ObservedKind => (observedKinds as readonly string[]).includes(kind);

/** Null for other messages, and for a message that the device has not signed for its organization. */
export const verifyObservedUplinkMessage = (
  topic: string,
  payload: Uint8Array,
  sender: DeviceId,
  trusted: { readonly organizationId: OrganizationId; readonly peers: PeerDirectory },
): ObservedUplinkMessage | null => {
  const parsed = parseMqttTopic(topic);
  if (parsed?.direction !== 'up' || parsed.device_id !== sender || !isObserved(parsed.kind)) return null;
  const frame = decodeUnverifiedFrame(payload);
  const serial = frame.ok ? frame.value.header.serial : '';
  const verify = trusted.peers.verifierOf(sender, serial);
  if (verify === null) return null;
  const { kind } = parsed;
  const address = { audience: trusted.organizationId, serial, window: null };
  const opened = verifyAndDecodeFrame(kind, payload, { id: sender, verify }, address);
  return opened.ok ? ({ kind, message: opened.value.message } as ObservedUplinkMessage) : null;
};
