import { volatileUplinkCounterStore } from '@lintel/device-link/session/uplink/uplink-counter';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { instant } from '@lintel/access-core/instant';
import type { DeviceEnrollment } from '@lintel/device-link/identity/device-enrollment';
import { digestSnapshotEntries } from '@lintel/device-link/session/snapshot/apply-snapshot-chunks';
import { FaultRegistry } from '@lintel/service/faults/fault-registry';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { encodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { MqttMessageContent } from '@lintel/wire-protocol/mqtt/message-definitions';
import type { HelloMqttMessage } from '@lintel/wire-protocol/mqtt/messages/hello';
import { decodeFrameBody } from '@lintel/device-link/session/frames/verify-frame';
import { decodeUnverifiedFrame, encodeSignedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import type { SnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import type { UplinkMessageKind } from '@lintel/wire-protocol/mqtt/topics';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewayClock } from '../clock/gateway-clock.ts';
import { SiteSnapshotFile } from '../site/site-snapshot-file.ts';
import { SiteSnapshot } from '../site/site-snapshot.ts';
import { GatewaySession } from './gateway-session.ts';
import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { buildGatewayStatusMessage } from './gateway-status-message.ts';

const organization = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');
const today = Date.parse('2026-06-01T10:00:00Z');

const enrollment = {
  device_id: 'dev_gateway',
  organization_id: 'org_1',
  organization_key: organization.publicKey.export({ format: 'jwk' }).x,
  serial: '01',
} as unknown as DeviceEnrollment;

const peer = (id: string): SnapshotEntry => ({ type: 'peer', id, serial: `0${id.length}`, public_key: 'x' });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-session-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The gateway's own session, and a fake bridge. */
class SessionFixture {
  readonly published: { readonly kind: UplinkMessageKind; readonly payload: Uint8Array }[] = [];
  readonly notifications: string[] = [];
  readonly monotonic = new VirtualClock();
  readonly clock: GatewayClock;
  readonly snapshots: SiteSnapshot;
  readonly session: GatewaySession;
  reconnects = 0;
  #counter: number;
  #nonces = 0;

  constructor() {
    this.clock = new GatewayClock({
      monotonic: () => this.monotonic.now(),
      system: () => today,
      floor: null,
      save: () => undefined,
    });
    this.snapshots = new SiteSnapshot(
      new SiteSnapshotFile(join(folder, 'site.json')),
      () => enrollment,
      () => undefined,
    );
    this.session = new GatewaySession({
      enrollment: () => enrollment,
      keys: { sign: () => new Uint8Array(64) },
      uplinkCounter: volatileUplinkCounterStore,
      digestKeyId: 'k',
      firmware: 'test',
      clock: this.clock,
      snapshot: this.snapshots,
      faults: new FaultRegistry(() => this.clock.now()),
      monotonic: this.monotonic,
      newNonce: () => `nonce-${++this.#nonces}`.padEnd(22, 'x'),
      log: () => undefined,
      link: {
        publish: async (kind, payload) => void this.published.push({ kind, payload }),
        reconnect: () => void this.reconnects++,
      },
      status: () => ({}) as never,
      revokeCounter: 0,
      onReady: () => this.notifications.push('ready'),
      onPeers: () => this.notifications.push('peers'),
    });
    this.session.lastWill();
    this.session.connected();
    this.#counter = this.hello.down_counter;
  }

  get hello(): HelloMqttMessage {
    return this.#last('hello');
  }

  #last<K extends UplinkMessageKind>(kind: K): MqttMessageContent<K> {
    const frame = decodeUnverifiedFrame(this.published.findLast(message => message.kind === kind)!.payload);
    if (!frame.ok) throw new Error(JSON.stringify(frame.problems));
    const read = decodeFrameBody(kind, { body: frame.value.body, encoding: frame.value.header.encoding });
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    return read.value;
  }

  get syncRequest(): MqttMessageContent<'sync-request'> {
    return this.#last('sync-request');
  }

  get timeNonce(): string {
    return this.#last('time-request').nonce;
  }

  frame<K extends 'time' | 'snapshot'>(
    kind: K,
    message: MqttMessageContent<K>,
    key = organization.privateKey,
    encoding: 'gzip' | 'identity' = 'identity',
  ): Uint8Array {
    const header = { v: 1, kind, signer: 'org_1', audience: 'dev_gateway', serial: '01' } as const;
    const body = encodeMqttMessage(kind, message);
    const bytes = encoding === 'gzip' ? gzipSync(body) : body;
    return encodeSignedFrame({ ...header, counter: ++this.#counter, encoding }, bytes, text => sign(null, text, key));
  }

  time(time: number, revision: number, nonce = this.hello.session_nonce): Uint8Array {
    return this.frame('time', { v: 1, nonce, time: instant(time), revision, revoke_counter: 0 });
  }

  snapshot(to: number, ...entries: SnapshotEntry[]): Uint8Array {
    return this.frame('snapshot', { ...chunkTo(to), put: entries, digest: digestSnapshotEntries(entries) });
  }

  /** Also waits until chunks are processed. */
  async receive(kind: 'time' | 'snapshot', payload: Uint8Array): Promise<void> {
    this.session.receive(kind, payload);
    for (let turn = 0; turn < 10; turn++) await setImmediate();
  }
}

const chunkTo = (to: number): MqttMessageContent<'snapshot'> => ({
  v: 1,
  from: null,
  to,
  digest_key_id: 'k',
  chunk: 0,
  chunks: 1,
  put: [],
  drop: [],
  digest: digestSnapshotEntries([]),
});

describe('GatewaySession', () => {
  it('connects no controllers before it knows the devices of the site', async () => {
    const fixture = new SessionFixture();
    await fixture.receive('time', fixture.time(today, 7));
    expect(fixture.notifications).toEqual([]);
    await fixture.receive('snapshot', fixture.snapshot(7, peer('dev_a')));
    expect(fixture.notifications).toEqual(['peers', 'ready']);
    expect(fixture.published.map(({ kind }) => kind)).toEqual(['hello', 'active-revision']);
    expect(fixture.snapshots.peers.has('dev_a')).toBe(true);
  });

  it('applies a compressed snapshot', async () => {
    const fixture = new SessionFixture();
    const entries = [peer('dev_a')];
    const message = { ...chunkTo(7), put: entries, digest: digestSnapshotEntries(entries) };
    fixture.session.receive('snapshot', fixture.frame('snapshot', message, organization.privateKey, 'gzip'));
    await expect.poll(() => fixture.snapshots.held?.revision).toBe(7);
  });

  it('connects controllers after five seconds when the bridge announces nothing', () => {
    const fixture = new SessionFixture();
    fixture.monotonic.advance(4_999);
    expect(fixture.notifications).toEqual([]);
    fixture.monotonic.advance(1);
    expect(fixture.notifications).toEqual(['ready']);
  });

  it("starts at once when it has the bridge's current revision", async () => {
    const first = new SessionFixture();
    await first.receive('snapshot', first.snapshot(7, peer('dev_a')));
    const again = new SessionFixture();
    expect(again.hello.snapshot).toEqual({ revision: 7, digest: digestSnapshotEntries([peer('dev_a')]) });
    await again.receive('time', again.time(today, 7));
    expect(again.notifications).toEqual(['ready']);
  });

  it('rejects a snapshot with a foreign signature or a replayed one, also after a restart', async () => {
    const fixture = new SessionFixture();
    const old = fixture.snapshot(7, peer('dev_stolen'));
    await fixture.receive('snapshot', old);
    await fixture.receive('snapshot', fixture.snapshot(8, peer('dev_a')));
    await fixture.receive('snapshot', old);
    expect(fixture.snapshots.peers.has('dev_stolen')).toBe(false);
    const restarted = new SessionFixture();
    await restarted.receive('snapshot', old);
    await restarted.receive('snapshot', restarted.frame('snapshot', chunkTo(9), stranger.privateKey));
    expect(restarted.snapshots.held?.revision).toBe(8);
    expect(restarted.notifications).toEqual([]);
    await restarted.receive('snapshot', restarted.snapshot(9));
    expect(restarted.snapshots.held?.revision).toBe(9);
  });

  it('takes the time only from a fresh response to its own request', async () => {
    const fixture = new SessionFixture();
    const late = fixture.time(today + 5000, 0);
    await fixture.receive('time', fixture.time(0, 0, 'some-other-session-nonce'));
    expect(fixture.clock.isTrusted).toBe(false);
    fixture.monotonic.advance(11_000);
    await fixture.receive('time', late);
    expect(fixture.clock.isTrusted).toBe(false);
    await fixture.receive('time', fixture.time(today + 90_000, 0, fixture.timeNonce));
    expect([fixture.clock.isTrusted, fixture.clock.now()]).toEqual([true, today + 90_000]);
  });

  it('reports the revision it holds when a delta does not fit', async () => {
    const fixture = new SessionFixture();
    await fixture.receive('snapshot', fixture.snapshot(7, peer('dev_a')));
    await fixture.receive('snapshot', fixture.frame('snapshot', { ...chunkTo(9), from: 5 }));
    fixture.monotonic.advance(1);
    expect(fixture.syncRequest).toMatchObject({ have: { revision: 7 }, resume: null });
  });

  it('ignores a report about the link of another gateway', () => {
    const fixture = new SessionFixture();
    fixture.session.receive('bridge-link', encodeMqttMessage('bridge-link', { v: 1, online: false }));
    fixture.monotonic.advance(20_000);
    expect(fixture.published.filter(({ kind }) => kind === 'hello')).toHaveLength(2);
  });

  it('reconnects when the bridge does not respond', () => {
    const fixture = new SessionFixture();
    fixture.monotonic.advance(61_000);
    expect(fixture.reconnects).toBe(1);
  });
});

it('reports the power of the product for a gateway', () => {
  const { capabilities } = loadProfiles().find(({ product_id }) => product_id === 'gateway')!;
  const status = buildGatewayStatusMessage({ now: () => 1 } as never, { list: () => [] } as never);
  expect(status).toMatchObject({
    mains_present: capabilities.mains,
    battery_present: capabilities.battery,
    battery_charging: false,
    battery_percent: null,
  });
});
