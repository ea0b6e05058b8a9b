import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import { connect } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { signUplink, toUncompressedFrameBody } from '@lintel/device-link/session/uplink/uplink-publisher';
import { signBrokerLoginProof } from '@lintel/wire-protocol/claiming/broker-login';
import { decodeMqttMessage, encodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { MqttMessageContent } from '@lintel/wire-protocol/mqtt/message-definitions';
import { SNAPSHOT_CHUNKS_PER_REQUEST } from '@lintel/wire-protocol/mqtt/messages/snapshot-chunk';
import { emptyReplayWindow } from '@lintel/wire-protocol/mqtt/replay-window';
import { acceptFrame, decodeUnverifiedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import {
  buildDeviceDownlinkFilter,
  buildRevocationTopic,
  type UplinkMessageKind,
  buildUplinkTopic,
} from '@lintel/wire-protocol/mqtt/topics';
import { FleetMqttConnection } from '@lintel/simulator/testing';
import type { BenchFleet, BenchController } from './create-claimed-controllers-and-members.ts';

/** Commands of the benchmark to the fleet process. */
export type FleetCommand =
  | {
      readonly type: 'start';
      readonly port: number;
      readonly fleet: BenchFleet;
      /** Delays the processing of snapshots, so that a thousand controllers on one CPU do not delay other messages. */
      readonly snapshotDelayMs: number;
    }
  | { readonly type: 'report'; readonly measuresSnapshot: boolean }
  | { readonly type: 'stop' };

export interface FleetReport {
  /** When each controller had received and verified the newest revocation, in nanoseconds. */
  readonly arrivals: readonly string[];
  /** Number of controllers by revision. */
  readonly serving: Readonly<Record<string, number>>;
  readonly servedAt: string;
  readonly bytesRead: number;
  /** Size of the first controller's snapshot as one compressed document, the minimum for a transfer. */
  readonly snapshotBytes: number;
}

const now = (): bigint => process.hrtime.bigint();

let organizationKey: KeyObject;
let organizationId: OrganizationId;
const controllers: MqttOnlyController[] = [];
let servedAt = 0n;
let snapshotDelayMs = 0;

/** The MQTT side of a controller: verifies signatures and reports its revision. */
class MqttOnlyController {
  readonly #self: BenchController;
  readonly #key: KeyObject;
  readonly client: FleetMqttConnection;
  arrivedAt = 0n;
  revision = -1;
  #revoked: Buffer | null = null;
  #chunks = 0;
  #counter = Date.now();
  /** Set for the first controller only. */
  readonly #snapshot: string[] | null;

  constructor(self: BenchController, port: number, keepsSnapshot: boolean) {
    this.#self = self;
    this.#key = createPrivateKey(self.key);
    this.#snapshot = keepsSnapshot ? [] : null;
    this.client = new FleetMqttConnection(connect({ port, host: '127.0.0.1', noDelay: true }), {
      onMessage: (topic, payload) => this.#receive(topic, payload),
    });
  }

  get #id(): DeviceId {
    return this.#self.deviceId as DeviceId;
  }

  async start(): Promise<void> {
    const { serial } = this.#self;
    const login = { v: 1, device_id: this.#id, serial, at: Date.now() as never } as const;
    const password = signBrokerLoginProof(login, bytes => sign(null, bytes, this.#key));
    const filters = [buildDeviceDownlinkFilter(this.#id), buildRevocationTopic(organizationId)];
    await this.client.open({ clientId: this.#id, password, filters });
    this.#send('hello', {
      v: 1,
      speaks: [1],
      firmware: 'bench',
      product_id: 'virtual',
      session_nonce: randomBytes(16).toString('base64url'),
      serial,
      digest_key_id: 'k1',
      snapshot: null,
      resume: null,
      accepts_open_snapshots: true,
      event_sequence: 0,
      down_counter: 0,
      revoke_counter: 0,
      clock: { time: Date.now() as never, trusted: true, source: 'ntp' },
    });
  }

  #send<K extends UplinkMessageKind>(kind: K, message: MqttMessageContent<K>): void {
    const { serial } = this.#self;
    const signer = { device_id: this.#id, serial, sign: (bytes: Uint8Array) => sign(null, bytes, this.#key) };
    const address = { audience: organizationId, counter: ++this.#counter };
    const frame = signUplink(kind, toUncompressedFrameBody(encodeMqttMessage(kind, message)), signer, address);
    this.client.publish(buildUplinkTopic(this.#id, kind), frame);
  }

  #receive(topic: string, payload: Buffer): void {
    if (topic.endsWith('/revoke')) {
      this.arrivedAt = now();
      this.#revoked = payload[0] === 0x7b ? Buffer.from(payload) : null;
    } else if (topic.endsWith('/snapshot')) {
      if (snapshotDelayMs === 0) this.#receiveSnapshotChunk(payload);
      else setTimeout(() => this.#receiveSnapshotChunk(payload), snapshotDelayMs);
    }
  }

  get snapshotBytes(): number {
    return this.#snapshot === null ? 0 : gzipSync(`[${this.#snapshot.join(',')}]`).length;
  }

  #receiveSnapshotChunk(payload: Buffer): void {
    const frame = decodeUnverifiedFrame(payload);
    if (!frame.ok) return;
    const { body, header } = frame.value;
    const message = decodeMqttMessage('snapshot', header.encoding === 'gzip' ? gunzipSync(body) : body);
    if (!message.ok) return;
    const { chunk, chunks, to, digest, put } = message.value;
    this.#snapshot?.push(JSON.stringify(put).slice(1, -1));
    this.#chunks = chunk === 0 ? 1 : this.#chunks + 1;
    if (chunks === null || digest === null || this.#chunks < chunks) {
      // Like a controller, asks for the next group in the middle of a group.
      const half = SNAPSHOT_CHUNKS_PER_REQUEST / 2;
      const next = this.#chunks + half;
      const isMiddle = this.#chunks % SNAPSHOT_CHUNKS_PER_REQUEST === half;
      if (!isMiddle || (chunks !== null && next >= chunks)) return;
      this.#send('sync-request', { v: 1, have: null, resume: { revision: to, chunk: next }, ahead: true });
      return;
    }
    this.revision = to;
    servedAt = now();
    this.#send('active-revision', { v: 1, revision: to, digest, at: Date.now() as never });
  }

  /**
   * When the revocation was verified. A real controller has its own CPU, so the time of one verification is measured here
   * and added to the arrival time.
   */
  deniedAt(): bigint {
    if (this.#revoked === null) return this.arrivedAt;
    const start = now();
    const frame = decodeUnverifiedFrame(this.#revoked);
    if (!frame.ok) throw new Error('The revocation is not a frame');
    const address = { signer: organizationId, audience: organizationId, serial: '' };
    const expected = { kind: 'revoke', ...address, window: emptyReplayWindow } as const;
    const checked = acceptFrame(frame.value, expected, (bytes, signature) =>
      verify(null, bytes, organizationKey, signature),
    );
    if (!checked.ok || !decodeMqttMessage('revoke', checked.value.body).ok)
      throw new Error('The revocation is invalid');
    return this.arrivedAt + (now() - start);
  }
}

const MAX_CONCURRENT_CONNECTS = 50;

const start = async ({
  port,
  fleet,
  snapshotDelayMs: delayMs,
}: Extract<FleetCommand, { type: 'start' }>): Promise<void> => {
  snapshotDelayMs = delayMs;
  organizationId = fleet.organizationId as OrganizationId;
  organizationKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: fleet.organizationKey }, format: 'jwk' });
  for (let at = 0; at < fleet.controllers.length; at += MAX_CONCURRENT_CONNECTS) {
    const batch = fleet.controllers
      .slice(at, at + MAX_CONCURRENT_CONNECTS)
      .map(self => new MqttOnlyController(self, port, self === fleet.controllers[0]));
    await Promise.all(batch.map(controller => controller.start()));
    controllers.push(...batch);
  }
};

const report = (measuresSnapshot: boolean): FleetReport => ({
  arrivals: controllers.map(controller => String(controller.deniedAt())),
  serving: controllers.reduce<Record<string, number>>((counts, { revision }) => {
    counts[revision] = (counts[revision] ?? 0) + 1;
    return counts;
  }, {}),
  servedAt: String(servedAt),
  bytesRead: controllers.reduce((sum, { client }) => sum + client.bytesRead, 0),
  snapshotBytes: measuresSnapshot ? controllers[0]!.snapshotBytes : 0,
});

process.on('message', (command: FleetCommand) => {
  if (command.type === 'stop') process.exit(0);
  if (command.type === 'report') process.send!(report(command.measuresSnapshot));
  else
    start(command).then(
      () => process.send!('started'),
      error => process.send!(String(error)),
    );
});
