import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import { connect } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { encodeBrokerLogin } from '@lintel/wire-protocol/claiming/broker-login';
import { decodeMessage, encodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import { CHUNKS_AT_ONCE } from '@lintel/wire-protocol/mqtt/messages/slice';
import { freshWindow } from '@lintel/wire-protocol/mqtt/replay-window';
import { checkFrame, decodeFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { ownDownFilter, revokeTopic, upTopic } from '@lintel/wire-protocol/mqtt/topics';
import { MqttLine } from '../../../simulator/src/fleet/mqtt-line.ts';
import type { Fleet, FleetMember } from './claimed-fleet.ts';

/** What the fleet is told by the benchmark, and what it answers. */
export type FleetOrder =
  | {
      readonly type: 'start';
      readonly port: number;
      readonly fleet: Fleet;
      /** How long slices are left alone: on one processor, those of a thousand controllers would delay the rest. */
      readonly sliceDelayMs: number;
    }
  | { readonly type: 'report'; readonly measuresSlice: boolean }
  | { readonly type: 'stop' };

export interface FleetReport {
  /** When each controller had the newest message on the revocation topic, verified if it was signed; nanoseconds. */
  readonly arrivals: readonly string[];
  /** How many controllers serve which revision. */
  readonly serving: Readonly<Record<string, number>>;
  readonly servedAt: string;
  readonly bytesRead: number;
  /** Of the first controller's slice as one compressed document: no transfer can do with fewer. */
  readonly sliceBytes: number;
}

const now = (): bigint => process.hrtime.bigint();

let organizationKey: KeyObject;
let organizationId: OrganizationId;
const controllers: Controller[] = [];
let servedAt = 0n;
let sliceDelayMs = 0;

/** A controller as a line: it checks signatures and says what it serves, and leaves the rest to the firmware. */
class Controller {
  readonly #self: FleetMember;
  readonly client: MqttLine;
  arrivedAt = 0n;
  revision = -1;
  #revoked: Buffer | null = null;
  #chunks = 0;
  /** Kept by the first controller only. */
  readonly #slice: string[] | null;

  constructor(self: FleetMember, port: number, keepsSlice: boolean) {
    this.#self = self;
    this.#slice = keepsSlice ? [] : null;
    this.client = new MqttLine(connect({ port, host: '127.0.0.1', noDelay: true }), {
      onMessage: (topic, payload) => this.#hear(topic, payload),
    });
  }

  get #id(): DeviceId {
    return this.#self.deviceId as DeviceId;
  }

  async start(): Promise<void> {
    const { serial, key } = this.#self;
    const own = createPrivateKey(key);
    const login = { v: 1, device_id: this.#id, serial, at: Date.now() as never } as const;
    const password = encodeBrokerLogin(login, bytes => sign(null, bytes, own));
    const filters = [ownDownFilter(this.#id), revokeTopic(organizationId)];
    await this.client.open({ clientId: this.#id, password, filters });
    const hello = encodeMessage('hello', {
      v: 1,
      speaks: [1],
      firmware: 'bench',
      product_id: 'virtual',
      session_nonce: randomBytes(16).toString('base64url'),
      serial,
      digest_key_id: 'k1',
      slice: null,
      resume: null,
      event_sequence: 0,
      down_counter: 0,
      revoke_counter: 0,
      clock: { time: Date.now() as never, trusted: true, source: 'ntp' },
    });
    this.client.publish(upTopic(this.#id, 'hello'), hello);
  }

  #hear(topic: string, payload: Buffer): void {
    if (topic.endsWith('/revoke')) {
      this.arrivedAt = now();
      this.#revoked = payload[0] === 0x7b ? Buffer.from(payload) : null;
    } else if (topic.endsWith('/slice')) {
      if (sliceDelayMs === 0) this.#takeSlice(payload);
      else setTimeout(() => this.#takeSlice(payload), sliceDelayMs);
    }
  }

  get sliceBytes(): number {
    return this.#slice === null ? 0 : gzipSync(`[${this.#slice.join(',')}]`).length;
  }

  #takeSlice(payload: Buffer): void {
    const frame = decodeFrame(payload);
    if (!frame.ok) return;
    const { body, header } = frame.value;
    const message = decodeMessage('slice', header.encoding === 'gzip' ? gunzipSync(body) : body);
    if (!message.ok) return;
    const { chunk, chunks, to, digest, put } = message.value;
    this.#slice?.push(JSON.stringify(put).slice(1, -1));
    this.#chunks = chunk === 0 ? 1 : this.#chunks + 1;
    if (this.#chunks < chunks) {
      if (this.#chunks % CHUNKS_AT_ONCE !== 0) return;
      const resume = { revision: to, chunk: this.#chunks };
      this.client.publish(
        upTopic(this.#id, 'sync-request'),
        encodeMessage('sync-request', { v: 1, have: null, resume }),
      );
      return;
    }
    this.revision = to;
    servedAt = now();
    const serving = encodeMessage('serving', { v: 1, revision: to, digest, at: Date.now() as never });
    this.client.publish(upTopic(this.#id, 'serving'), serving);
  }

  /**
   * When the revocation was checked. Each controller has a processor of its own: the time that checking takes is measured
   * here one by one and added, and not spent by a thousand of them on one processor one after the other.
   */
  deniedAt(): bigint {
    if (this.#revoked === null) return this.arrivedAt;
    const start = now();
    const frame = decodeFrame(this.#revoked);
    if (!frame.ok) throw new Error('the revocation is no frame');
    const address = { signer: organizationId, audience: organizationId, serial: '' };
    const expected = { kind: 'revoke', ...address, window: freshWindow } as const;
    const checked = checkFrame(frame.value, expected, (bytes, signature) =>
      verify(null, bytes, organizationKey, signature),
    );
    if (!checked.ok || !decodeMessage('revoke', checked.value.body).ok) throw new Error('the revocation is not true');
    return this.arrivedAt + (now() - start);
  }
}

const AT_ONCE = 50;

const start = async ({ port, fleet, sliceDelayMs: delayMs }: Extract<FleetOrder, { type: 'start' }>): Promise<void> => {
  sliceDelayMs = delayMs;
  organizationId = fleet.organizationId as OrganizationId;
  organizationKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: fleet.organizationKey }, format: 'jwk' });
  for (let at = 0; at < fleet.controllers.length; at += AT_ONCE) {
    const some = fleet.controllers
      .slice(at, at + AT_ONCE)
      .map(self => new Controller(self, port, self === fleet.controllers[0]));
    await Promise.all(some.map(controller => controller.start()));
    controllers.push(...some);
  }
};

const report = (measuresSlice: boolean): FleetReport => ({
  arrivals: controllers.map(controller => String(controller.deniedAt())),
  serving: controllers.reduce<Record<string, number>>((counts, { revision }) => {
    counts[revision] = (counts[revision] ?? 0) + 1;
    return counts;
  }, {}),
  servedAt: String(servedAt),
  bytesRead: controllers.reduce((sum, { client }) => sum + client.bytesRead, 0),
  sliceBytes: measuresSlice ? controllers[0]!.sliceBytes : 0,
});

process.on('message', (order: FleetOrder) => {
  if (order.type === 'stop') process.exit(0);
  if (order.type === 'report') process.send!(report(order.measuresSlice));
  else
    start(order).then(
      () => process.send!('started'),
      error => process.send!(String(error)),
    );
});
