import { generateKeyPairSync, sign } from 'node:crypto';
import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { createSignatureVerifier } from '@lintel/crypto/verify-ed25519';
import { decodeFrameBody } from '@lintel/device-link/session/frames/verify-frame';
import type {
  EnrolledDeviceIdentity,
  ReceivedMessageKind,
  SessionLink,
} from '@lintel/device-link/session/session-link-interface';
import { encodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import { type MqttMessageContent, mqttMessageDefinitions } from '@lintel/wire-protocol/mqtt/message-definitions';
import { decodeUnverifiedFrame, encodeSignedFrame, type FrameHeader } from '@lintel/wire-protocol/mqtt/signed-frame';
import type { UplinkMessageKind } from '@lintel/wire-protocol/mqtt/topics';

const organization = generateKeyPairSync('ed25519');
const organizationKey = organization.publicKey.export({ format: 'jwk' }).x!;
const device = generateKeyPairSync('ed25519').privateKey;

const ORGANIZATION = 'org_01jx5m8z6q0000000000000001' as OrganizationId;
const DEVICE = 'dev_01jx5m8z6q0000000000000001' as DeviceId;

/** The device's end of the link. */
export interface BridgeListener {
  lastWill(): Uint8Array;
  connected(via: string): void;
  disconnected(why: string): void;
  message(kind: ReceivedMessageKind, payload: Uint8Array): void;
}

/** Records the uplink messages and sends downlink messages like a bridge. */
export class FakeBridge implements SessionLink {
  serial = '01';
  reconnects = 0;
  readonly published: { readonly kind: UplinkMessageKind; readonly payload: Uint8Array }[] = [];
  isReachable = true;
  #listener: BridgeListener | null = null;
  #counter = 0;

  identity(): EnrolledDeviceIdentity {
    return {
      device_id: DEVICE,
      organization_id: ORGANIZATION,
      serial: this.serial,
      sign: bytes => sign(null, bytes, device),
      isSignedByOrganization: createSignatureVerifier(organizationKey),
    };
  }

  start(listener: BridgeListener): void {
    this.#listener = listener;
  }

  connect(beforeHello: () => void = () => undefined): void {
    this.#listener!.lastWill();
    beforeHello();
    this.#listener!.connected('mqtt://test');
  }

  disconnect(): void {
    this.#listener!.disconnected('cut');
  }

  async publish(kind: UplinkMessageKind, payload: Uint8Array): Promise<void> {
    if (!this.isReachable) throw new Error('no line');
    this.published.push({ kind, payload });
  }

  reconnect(): void {
    this.reconnects += 1;
  }

  onTimeReceived(): void {
    // Certificates are not renewed in tests.
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  /** As sent on the wire. The counter is the next one unless the header overrides it. */
  frame<K extends ReceivedMessageKind>(
    kind: K,
    message: MqttMessageContent<K>,
    header: Partial<FrameHeader> = {},
  ): Uint8Array {
    const body = encodeMqttMessage(kind, message);
    if (mqttMessageDefinitions[kind].signedBy === null) return body;
    const to = kind === 'revoke' ? { audience: ORGANIZATION, serial: '' } : { audience: DEVICE, serial: this.serial };
    const counter = header.counter ?? ++this.#counter;
    this.#counter = Math.max(this.#counter, kind === 'revoke' ? 0 : counter);
    return encodeSignedFrame(
      { v: 1, kind, signer: ORGANIZATION, ...to, encoding: 'identity', ...header, counter },
      body,
      bytes => sign(null, bytes, organization.privateKey),
    );
  }

  deliver(kind: ReceivedMessageKind, payload: Uint8Array): void {
    this.#listener!.message(kind, payload);
  }

  send<K extends ReceivedMessageKind>(
    kind: K,
    message: MqttMessageContent<K>,
    header: Partial<FrameHeader> = {},
  ): void {
    this.deliver(kind, this.frame(kind, message, header));
  }

  received<K extends UplinkMessageKind>(kind: K): MqttMessageContent<K>[] {
    return this.published.filter(one => one.kind === kind).map(({ payload }) => this.#read(kind, payload));
  }

  #read<K extends UplinkMessageKind>(kind: K, payload: Uint8Array): MqttMessageContent<K> {
    const frame = decodeUnverifiedFrame(payload);
    if (!frame.ok) throw new Error('not signed');
    const read = decodeFrameBody(kind, { ...frame.value, encoding: frame.value.header.encoding });
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    return read.value;
  }

  get nonce(): string {
    return this.received('hello').at(-1)!.session_nonce;
  }

  /** The response to the latest request. */
  sendTime(given: Partial<MqttMessageContent<'time'>> = {}): void {
    const nonce = this.received('time-request').at(-1)?.nonce ?? this.nonce;
    this.send('time', { v: 1, nonce, time: 0 as never, revision: 0, revoke_counter: 0, ...given });
  }
}
