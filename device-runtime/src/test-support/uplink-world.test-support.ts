import { generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { decodeMessage, encodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import { type Message, messages } from '@lintel/wire-protocol/mqtt/message-table';
import { decodeFrame, encodeFrame, type FrameHeader } from '@lintel/wire-protocol/mqtt/signed-frame';
import type { UpKind } from '@lintel/wire-protocol/mqtt/topics';
import { signatureVerifier } from '@lintel/crypto/ed25519';
import { unpacked } from '../uplink/frame-body.ts';
import { PeerRequests } from '../uplink/peers/peer-requests.ts';
import { Speaker } from '../uplink/uplink-publisher.ts';
import { Uplink } from '../uplink/uplink.ts';
import type { DownWord, Upstream, UpstreamIdentity, UpstreamListener } from '../uplink/upstream.ts';
import { DoorWorld } from './door-world.test-support.ts';
import type { MemoryState } from '@lintel/test/support/memory-state';

const organization = generateKeyPairSync('ed25519');
const organizationKey = organization.publicKey.export({ format: 'jwk' }).x!;
const device = generateKeyPairSync('ed25519').privateKey;

const ORGANIZATION = 'org_01jx5m8z6q0000000000000001' as OrganizationId;
const DEVICE = 'dev_01jx5m8z6q0000000000000001' as DeviceId;

/** Records the uplink messages and sends downlink messages like a bridge. */
export class FakeBridge implements Upstream {
  serial = '01';
  reconnects = 0;
  readonly published: { readonly kind: UpKind; readonly payload: Uint8Array }[] = [];
  isReachable = true;
  #listener: UpstreamListener | null = null;
  #counter = 0;

  identity(): UpstreamIdentity {
    return {
      device_id: DEVICE,
      organization_id: ORGANIZATION,
      serial: this.serial,
      sign: bytes => sign(null, bytes, device),
      isSignedByOrganization: signatureVerifier(organizationKey),
    };
  }

  start(listener: UpstreamListener): void {
    this.#listener = listener;
  }

  connect(meanwhile: () => void = () => undefined): void {
    this.#listener!.lastWill();
    meanwhile();
    this.#listener!.connected('mqtt://test');
  }

  disconnect(): void {
    this.#listener!.disconnected('cut');
  }

  async publish(kind: UpKind, payload: Uint8Array): Promise<void> {
    if (!this.isReachable) throw new Error('no line');
    this.published.push({ kind, payload });
  }

  reconnect(): void {
    this.reconnects += 1;
  }

  clockSet(): void {
    // Certificates are not renewed in tests.
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  /** As sent on the wire. The counter is the next one unless the header overrides it. */
  frame<K extends DownWord>(kind: K, message: Message<K>, header: Partial<FrameHeader> = {}): Uint8Array {
    const body = encodeMessage(kind, message);
    if (messages[kind].signedBy === null) return body;
    const to = kind === 'revoke' ? { audience: ORGANIZATION, serial: '' } : { audience: DEVICE, serial: this.serial };
    const counter = header.counter ?? ++this.#counter;
    this.#counter = Math.max(this.#counter, kind === 'revoke' ? 0 : counter);
    return encodeFrame(
      { v: 1, kind, signer: ORGANIZATION, ...to, encoding: 'identity', ...header, counter },
      body,
      bytes => sign(null, bytes, organization.privateKey),
    );
  }

  deliver(kind: DownWord, payload: Uint8Array): void {
    this.#listener!.message(kind, payload);
  }

  send<K extends DownWord>(kind: K, message: Message<K>, header: Partial<FrameHeader> = {}): void {
    this.deliver(kind, this.frame(kind, message, header));
  }

  received<K extends UpKind>(kind: K): Message<K>[] {
    return this.published.filter(one => one.kind === kind).map(({ payload }) => this.#read(kind, payload));
  }

  #read<K extends UpKind>(kind: K, payload: Uint8Array): Message<K> {
    const frame = messages[kind].signedBy === null ? null : decodeFrame(payload);
    if (frame !== null && !frame.ok) throw new Error('not signed');
    const body = frame === null ? payload : unpacked({ ...frame.value, encoding: frame.value.header.encoding });
    if (!(body instanceof Uint8Array) && !body.ok) throw new Error('not readable');
    const read = decodeMessage(kind, body instanceof Uint8Array ? body : body.value);
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    return read.value;
  }

  get nonce(): string {
    return this.received('hello').at(-1)!.session_nonce;
  }

  /** The response to the latest request. */
  sendTime(given: Partial<Message<'time'>> = {}): void {
    const nonce = this.received('time-request').at(-1)?.nonce ?? this.nonce;
    this.send('time', { v: 1, nonce, time: 0 as never, revision: 0, revoke_counter: 0, ...given });
  }
}

/** A door in virtual time, connected to a fake bridge. */
export class UplinkWorld {
  readonly door: DoorWorld;
  readonly bridge: FakeBridge;
  readonly uplink: Uplink;

  private constructor(door: DoorWorld, bridge: FakeBridge, uplink: Uplink) {
    this.door = door;
    this.bridge = bridge;
    this.uplink = uplink;
  }

  /** `state` and `bridge`: of an earlier run that ended without a clean stop. */
  static async open(given: { readonly state?: MemoryState; readonly bridge?: FakeBridge } = {}): Promise<UplinkWorld> {
    const bridge = given.bridge ?? new FakeBridge();
    let uplink: Uplink | null = null;
    const door = await DoorWorld.open(undefined, {
      ...(given.state === undefined ? {} : { state: given.state }),
      recorded: event => uplink?.recorded(event),
    });
    const { controller, clock, time: wall, state } = door;
    const speaker = new Speaker(bridge, 1);
    const peers = new PeerRequests({ controller: () => controller, speaker, clock, newRequestId: randomUUID });
    uplink = new Uplink({
      upstream: bridge,
      controller,
      speaker,
      peers,
      clock,
      wall,
      state,
      power: () => ({ mains_present: true, battery_present: null, battery_charging: null, battery_percent: null }),
      log: (_level, message, facts) => door.logged.push(`${message} ${JSON.stringify(facts ?? {})}`),
      firmware: 'test',
      product_id: 'virtual',
      newNonce: () => randomBytes(18).toString('base64url'),
    });
    uplink.start();
    return new UplinkWorld(door, bridge, uplink);
  }

  /** Connected to a bridge that has nothing new. */
  static async connected(given: { readonly state?: MemoryState; readonly bridge?: FakeBridge } = {}) {
    const world = await UplinkWorld.open(given);
    world.bridge.connect();
    world.respond();
    await world.settled();
    return world;
  }

  /** The bridge has nothing newer than the controller. */
  respond(given: Partial<Message<'time'>> = {}): void {
    const revision = this.door.controller.heldSlice?.revision ?? 0;
    this.bridge.sendTime({ time: this.door.time.now(), revision, ...given });
  }

  /** Waits until background work is done. */
  async settled(): Promise<void> {
    for (let turn = 0; turn < 100; turn++) await setImmediate();
  }

  async advance(milliseconds: number): Promise<void> {
    this.door.clock.advance(milliseconds);
    await this.settled();
  }

  faults(): string[] {
    return this.door.controller.faults().map(({ code }) => code);
  }
}
