import { randomBytes } from 'node:crypto';
import { createSignatureVerifier } from '@lintel/crypto/verify-ed25519';
import { verifyAndDecodeFrame } from '@lintel/device-link/session/frames/verify-frame';
import {
  applySnapshotChunks,
  type CompleteSnapshotTransfer,
  digestSnapshotEntries,
} from '@lintel/device-link/session/snapshot/apply-snapshot-chunks';
import type { StoredRevision } from '@lintel/device-link/session/snapshot/snapshot-storage-interface';
import { StagedSnapshotChunks } from '@lintel/device-link/session/snapshot/in-memory-staged-chunks';
import { signUplink, toUncompressedFrameBody } from '@lintel/device-link/session/uplink/uplink-publisher';
import { encodeMqttMessage, decodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { MqttMessageContent, MqttMessageKind } from '@lintel/wire-protocol/mqtt/message-definitions';
import type { HelloMqttMessage } from '@lintel/wire-protocol/mqtt/messages/hello';
import {
  SNAPSHOT_CHUNKS_PER_REQUEST,
  type SnapshotChunkMqttMessage,
} from '@lintel/wire-protocol/mqtt/messages/snapshot-chunk';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { emptyReplayWindow, type ReplayWindow } from '@lintel/wire-protocol/mqtt/replay-window';
import type { SnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import {
  buildDeviceDownlinkFilter,
  parseMqttTopic,
  buildRevocationTopic,
  type UplinkMessageKind,
  buildUplinkTopic,
} from '@lintel/wire-protocol/mqtt/topics';
import type {
  RedeemClaimResponse,
  RedeemClaimRequest,
} from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import type { TestBridge, TestOrganizationClient } from '../bridge/test-bridge.ts';
import { issueTicket, ControllerIdentity } from './controller-identity.ts';

interface Received<K extends MqttMessageKind = MqttMessageKind> {
  readonly kind: K;
  readonly message: MqttMessageContent<K>;
}

/** A controller at protocol level: verifies downlink messages, keeps a snapshot, and records what it receives. */
export class TestController {
  readonly bridge: TestBridge;
  readonly identity: ControllerIdentity;
  claimed: RedeemClaimResponse;
  entries: ReadonlyMap<string, SnapshotEntry> = new Map();
  snapshot: StoredRevision | null = null;
  /** Verified downlink messages, and the reasons why others were rejected. */
  readonly received: Received[] = [];
  readonly rejections: string[] = [];
  windows: { down: ReplayWindow; revoke: ReplayWindow } = { down: emptyReplayWindow, revoke: emptyReplayWindow };
  nonce = '';
  confirmsSnapshots = true;
  /** Sends an empty list of revocations when the bridge asks. */
  answersRevocationRequests = true;
  #mqtt: MqttClient | null = null;
  readonly #staged: StagedSnapshotChunks;
  #sequence = 0;
  #upCounter = 0;
  readonly #watchers = new Set<() => void>();

  constructor(bridge: TestBridge, identity: ControllerIdentity, claimed: RedeemClaimResponse) {
    this.bridge = bridge;
    this.identity = identity;
    this.claimed = claimed;
    const held = (): StoredRevision | null => this.snapshot;
    this.#staged = new StagedSnapshotChunks({
      get held() {
        return held();
      },
      apply: transfer => this.#apply(transfer),
    });
  }

  /** Claims a new device of the site, or takes the place of an existing one. */
  static async claim(
    bridge: TestBridge,
    client: TestOrganizationClient,
    place: { readonly site_id: string; readonly device_id?: string },
    given: Partial<RedeemClaimRequest> = {},
  ): Promise<TestController> {
    const identity = new ControllerIdentity(bridge);
    const { ticket } = await issueTicket(bridge, client, place as never);
    return new TestController(bridge, identity, await identity.redeem(bridge, { ticket, ...given }));
  }

  get deviceId() {
    return this.claimed.device_id;
  }

  get mqtt(): MqttClient {
    if (this.#mqtt === null) throw new Error('not connected');
    return this.#mqtt;
  }

  async connect(url: string, options: IClientOptions = {}): Promise<this> {
    const { device_id, organization_id } = this.claimed;
    this.nonce = randomBytes(16).toString('base64url');
    const goodbye = this.encode('goodbye', { v: 1, session_nonce: this.nonce, reason: 'lost' });
    const login = url.startsWith('mqtts:')
      ? {}
      : { username: device_id, password: this.identity.password(this.claimed, this.bridge.now) };
    const client = await connectAsync(url, {
      clientId: device_id,
      ...login,
      reconnectPeriod: 0,
      will: { topic: buildUplinkTopic(device_id, 'goodbye'), payload: Buffer.from(goodbye), qos: 1, retain: false },
      ...options,
    });
    this.#mqtt = client;
    client.on('error', () => undefined);
    client.on('message', (topic, payload) => this.receive(topic, payload));
    await client.subscribeAsync([buildDeviceDownlinkFilter(device_id), buildRevocationTopic(organization_id)], {
      qos: 1,
    });
    return this;
  }

  /** Connects, says hello, and waits for the snapshot. */
  async start(url: string): Promise<this> {
    await this.connect(url);
    const helloAnswered = this.next('time');
    await this.hello();
    await helloAnswered;
    await this.waitUntil(() => this.snapshot !== null, 'a snapshot');
    return this;
  }

  hello(given: Partial<HelloMqttMessage> = {}): Promise<void> {
    return this.send('hello', this.helloMessage(given));
  }

  helloMessage(given: Partial<HelloMqttMessage> = {}): MqttMessageContent<'hello'> {
    return {
      v: 1,
      speaks: [1],
      firmware: 'test',
      product_id: 'virtual',
      session_nonce: this.nonce,
      serial: this.claimed.serial,
      digest_key_id: this.identity.digestKey.id,
      snapshot: this.snapshot,
      resume: this.#resumption(),
      event_sequence: this.#sequence,
      down_counter: this.windows.down.highest,
      revoke_counter: this.windows.revoke.highest,
      clock: { time: this.bridge.now, trusted: true, source: 'bridge' },
      ...given,
    };
  }

  async send<K extends UplinkMessageKind>(kind: K, message: MqttMessageContent<K>): Promise<void> {
    await this.publish(buildUplinkTopic(this.deviceId, kind), this.encode(kind, message));
  }

  async publish(topic: string, payload: Uint8Array): Promise<void> {
    await this.mqtt.publishAsync(topic, Buffer.from(payload), { qos: 1 });
  }

  /** The signed message. */
  encode<K extends UplinkMessageKind>(
    kind: K,
    message: MqttMessageContent<K>,
    to?: RedeemClaimResponse['device_id'],
  ): Uint8Array {
    const body = encodeMqttMessage(kind, message);
    const { device_id, organization_id, serial } = this.claimed;
    const signer = { device_id, serial, sign: (bytes: Uint8Array) => this.identity.sign(bytes) };
    const audience = to ?? organization_id;
    return signUplink(kind, toUncompressedFrameBody(body), signer, { audience, counter: ++this.#upCounter });
  }

  event(given: Partial<DeviceEvent> & Pick<DeviceEvent, 'kind'>): DeviceEvent {
    return {
      id: this.bridge.services.newId('event'),
      sequence: ++this.#sequence,
      occurred_at: this.bridge.now,
      time_trusted: true,
      ...given,
    };
  }

  /** Checks signature, counter and address, as the firmware does. */
  receive(topic: string, payload: Uint8Array): void {
    const reason = this.#open(topic, payload);
    if (reason !== null) this.rejections.push(reason);
    for (const look of this.#watchers) look();
  }

  #open(topic: string, payload: Uint8Array): string | null {
    const parsed = parseMqttTopic(topic);
    if (parsed === null || parsed.direction === 'up') return 'no topic of ours';
    if (parsed.kind === 'bridge-link') return this.#openBridgeLink(payload);
    const { organization_id, organization_key, device_id, serial } = this.claimed;
    const channel = parsed.kind === 'revoke' ? 'revoke' : 'down';
    const to = channel === 'revoke' ? { audience: organization_id, serial: '' } : { audience: device_id, serial };
    const organization = { id: organization_id, verify: createSignatureVerifier(organization_key) };
    const opened = verifyAndDecodeFrame(parsed.kind, payload, organization, { ...to, window: this.windows[channel] });
    if (!opened.ok) return opened.problems[0]!.code;
    const { message, window } = opened.value;
    this.windows = { ...this.windows, [channel]: window };
    this.received.push({ kind: parsed.kind, message });
    if (parsed.kind === 'snapshot') this.#receiveSnapshot(message as SnapshotChunkMqttMessage);
    if (parsed.kind === 'resend-revocations' && this.answersRevocationRequests)
      void this.send('revocations', { v: 1, frames: [] }).catch(() => undefined);
    return null;
  }

  /** Sent by a gateway and not signed. */
  #openBridgeLink(payload: Uint8Array): string | null {
    const message = decodeMqttMessage('bridge-link', payload);
    if (!message.ok) return `malformed ${message.problems[0]!.path}`;
    this.received.push({ kind: 'bridge-link', message: message.value });
    return null;
  }

  #receiveSnapshot(chunk: SnapshotChunkMqttMessage): void {
    const received = this.#staged.receive(chunk);
    if (received.kind === 'refused') this.rejections.push(received.reason);
    else if (received.kind === 'applied') this.#confirm(received.held);
    else if ((chunk.chunk + 1) % SNAPSHOT_CHUNKS_PER_REQUEST === 0 && this.confirmsSnapshots)
      void this.requestRemainingChunks().catch(() => undefined);
  }

  /** Position in an incomplete transfer. */
  #resumption(): HelloMqttMessage['resume'] {
    const transfer = this.#staged.pendingTransfer();
    return transfer === null ? null : { revision: transfer.revision, chunk: transfer.next_chunk };
  }

  async requestRemainingChunks(): Promise<void> {
    await this.send('sync-request', { v: 1, have: this.snapshot, resume: this.#resumption() });
  }

  #apply(transfer: CompleteSnapshotTransfer): boolean {
    const applied = applySnapshotChunks(this.entries, transfer);
    if (applied === null) return false;
    this.entries = applied;
    this.snapshot = { revision: transfer.to, digest: transfer.digest };
    return true;
  }

  #confirm(held: StoredRevision): void {
    if (this.confirmsSnapshots)
      void this.send('active-revision', { v: 1, ...held, at: this.bridge.now }).catch(() => undefined);
  }

  digest(): string {
    return digestSnapshotEntries(this.entries.values());
  }

  messagesOf<K extends MqttMessageKind>(kind: K): MqttMessageContent<K>[] {
    return this.received.filter(one => one.kind === kind).map(one => one.message as MqttMessageContent<K>);
  }

  /** Waits for a condition that is checked after every received message. */
  waitUntil(isTrue: () => boolean, what: string, withinMs = 20_000): Promise<void> {
    if (isTrue()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#watchers.delete(look);
        reject(new Error(`timed out waiting for ${what}; rejected: ${this.rejections.join(', ')}`));
      }, withinMs);
      const look = (): void => {
        if (!isTrue()) return;
        clearTimeout(late);
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
    });
  }

  /** The next message of the kind that arrives after this call. */
  async next<K extends MqttMessageKind>(kind: K): Promise<MqttMessageContent<K>> {
    const before = this.messagesOf(kind).length;
    await this.waitUntil(() => this.messagesOf(kind).length > before, kind);
    return this.messagesOf(kind)[before]!;
  }

  async stop(): Promise<void> {
    await this.#mqtt?.endAsync(true);
    this.#mqtt = null;
  }

  /** Drops the connection without a goodbye. */
  dropConnection(): void {
    this.#mqtt?.stream.destroy();
  }
}
