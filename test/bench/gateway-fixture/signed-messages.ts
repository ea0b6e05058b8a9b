import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { signBrokerLoginProof } from '@lintel/wire-protocol/claiming/broker-login';
import { encodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { EventsMqttMessage } from '@lintel/wire-protocol/mqtt/messages/events';
import { encodeSignedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { buildDownlinkTopic, buildDeviceDownlinkFilter, buildUplinkTopic } from '@lintel/wire-protocol/mqtt/topics';
import type { BenchFleet, BenchController } from '../devices-fixture/create-claimed-controllers-and-members.ts';
import type { RingClient } from './client-ring-load.ts';

export const loginOf = ({ deviceId, serial, key }: BenchController) => ({
  clientId: deviceId,
  username: deviceId,
  password: signBrokerLoginProof({ v: 1, device_id: deviceId as DeviceId, serial, at: Date.now() as never }, bytes =>
    sign(null, bytes, key),
  ),
});

const signedFrame = (
  { deviceId, serial }: BenchController,
  key: KeyObject,
  kind: 'hello' | 'peer-request' | 'events',
  audience: DeviceId | OrganizationId,
  counter: number,
  body: Uint8Array,
): Buffer =>
  Buffer.from(
    encodeSignedFrame({ v: 1, kind, signer: deviceId, audience, serial, counter, encoding: 'identity' }, body, bytes =>
      sign(null, bytes, key),
    ),
  );

/** A request from the controller of the reader to the controller of the door. */
export const peerRequestFrame = (sender: BenchController, owner: BenchController): Buffer => {
  const body = encodeMqttMessage('peer-request', {
    v: 1,
    request_id: 'r_0123456789abcdef',
    nonce: 'bm9uY2Ugb2YgdGhlIG93bmVy',
    deadline_ms: 2000,
    gadget_id: 'gad_000000000000000000000000' as never,
    action_id: 'open',
    occurred_at: Date.now() as never,
    time_trusted: true,
    subject: { member_id: 'mem_000000000000000000000000' as never, access_method: 'card' },
    trigger: null,
  });
  return signedFrame(sender, createPrivateKey(sender.key), 'peer-request', owner.deviceId as DeviceId, 1, body);
};

/** The same payloads for both brokers. The gateway forwards uplink topics to downlink topics; mosquitto gets downlink topics. */
export const ringClients = ({ controllers }: BenchFleet, through: 'gateway' | 'broker'): RingClient[] =>
  controllers.map((member, index) => {
    const next = controllers[(index + 1) % controllers.length]!;
    const own = member.deviceId as DeviceId;
    return {
      ...(through === 'gateway' ? loginOf(member) : { clientId: own, username: null, password: null }),
      filter: buildDeviceDownlinkFilter(own),
      receivedTopic: buildDownlinkTopic(own, 'peer-request'),
      topic:
        through === 'gateway'
          ? buildUplinkTopic(own, 'peer-request')
          : buildDownlinkTopic(next.deviceId as DeviceId, 'peer-request'),
      payload: peerRequestFrame(member, next).toString('base64'),
    };
  });

/** A gateway forwards events of a controller after its hello. */
export const helloFrame = (member: BenchController, organizationId: string): Buffer => {
  const body = encodeMqttMessage('hello', {
    v: 1,
    speaks: [1],
    firmware: 'measured',
    product_id: 'virtual',
    session_nonce: 'AAECAwQFBgcICQoLDA0ODw',
    serial: member.serial,
    digest_key_id: member.digestKeyId,
    snapshot: null,
    resume: null,
    event_sequence: 0,
    down_counter: 0,
    revoke_counter: 0,
    clock: { time: Date.now() as never, trusted: true, source: 'ntp' },
  });
  return signedFrame(member, createPrivateKey(member.key), 'hello', organizationId as OrganizationId, 1, body);
};

/** Messages with `batch` events each, numbered from 1, and the ids of all events. */
export const eventFrames = (
  member: BenchController,
  organizationId: string,
  count: number,
  newId: () => string,
  batch = 1,
): { readonly frames: Buffer[]; readonly ids: string[] } => {
  const key = createPrivateKey(member.key);
  const events = Array.from({ length: count }, (_, index) => ({
    id: newId(),
    sequence: index + 1,
    kind: 'fault',
    fault: 'measured',
    occurred_at: Date.now(),
    time_trusted: true,
  }));
  const frames: Buffer[] = [];
  for (let from = 0; from < count; from += batch) {
    const body = encodeMqttMessage('events', {
      v: 1,
      events: events.slice(from, from + batch),
    } as unknown as EventsMqttMessage);
    frames.push(signedFrame(member, key, 'events', organizationId as OrganizationId, frames.length + 1, body));
  }
  return { frames, ids: events.map(({ id }) => id) };
};
