import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { instant } from '@lintel/access-core/instant';
import type { Membership } from '@lintel/device-link/identity/membership';
import { digestOfEntries } from '@lintel/device-link/session/snapshot/snapshot-entries';
import { FaultRegistry } from '@lintel/service/faults/fault-registry';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { decodeMessage, encodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { Message } from '@lintel/wire-protocol/mqtt/message-table';
import type { Hello } from '@lintel/wire-protocol/mqtt/messages/hello';
import { encodeFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import type { SliceEntry } from '@lintel/wire-protocol/mqtt/slice-entry';
import type { UpKind } from '@lintel/wire-protocol/mqtt/topics';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SiteClock } from '../clock/site-clock.ts';
import { SiteFile } from '../site/site-file.ts';
import { SiteSnapshot } from '../site/site-snapshot.ts';
import { GatewaySession } from './gateway-session.ts';

const organization = generateKeyPairSync('ed25519');
const somebody = generateKeyPairSync('ed25519');
const today = Date.parse('2026-06-01T10:00:00Z');

const membership = {
  device_id: 'dev_gateway',
  organization_id: 'org_1',
  organization_key: organization.publicKey.export({ format: 'jwk' }).x,
  serial: '01',
} as unknown as Membership;

const peer = (id: string): SliceEntry => ({ type: 'peer', id, serial: `0${id.length}`, public_key: 'x' });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-session-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The gateway's own session, and a fake bridge. */
class World {
  readonly said: { readonly kind: UpKind; readonly payload: Uint8Array }[] = [];
  readonly happened: string[] = [];
  readonly monotonic = new VirtualClock();
  readonly clock: SiteClock;
  readonly snapshots: SiteSnapshot;
  readonly session: GatewaySession;
  reconnects = 0;
  #counter: number;
  #nonces = 0;

  constructor() {
    this.clock = new SiteClock({
      monotonic: () => this.monotonic.now(),
      system: () => today,
      floor: null,
      save: () => undefined,
    });
    this.snapshots = new SiteSnapshot(
      new SiteFile(join(folder, 'site.json')),
      () => membership,
      () => undefined,
    );
    this.session = new GatewaySession({
      membership: () => membership,
      keys: { sign: () => new Uint8Array(64) },
      digestKeyId: 'k',
      firmware: 'test',
      clock: this.clock,
      snapshot: this.snapshots,
      faults: new FaultRegistry(() => this.clock.now()),
      monotonic: this.monotonic,
      newNonce: () => `nonce-${++this.#nonces}`.padEnd(22, 'x'),
      log: () => undefined,
      link: {
        publish: async (kind, payload) => void this.said.push({ kind, payload }),
        reconnect: () => void this.reconnects++,
      },
      status: () => ({}) as never,
      revokeCounter: 0,
      onReady: () => this.happened.push('ready'),
      onPeers: () => this.happened.push('peers'),
    });
    this.session.lastWill();
    this.session.connected();
    this.#counter = this.hello.down_counter;
  }

  get hello(): Hello {
    return this.#last('hello');
  }

  #last<K extends UpKind>(kind: K): Message<K> {
    const read = decodeMessage(kind, this.said.findLast(one => one.kind === kind)!.payload);
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    return read.value;
  }

  get syncRequest(): Message<'sync-request'> {
    return this.#last('sync-request');
  }

  get timeNonce(): string {
    return this.#last('time-request').nonce;
  }

  frame<K extends 'time' | 'slice'>(
    kind: K,
    message: Message<K>,
    key = organization.privateKey,
    encoding: 'gzip' | 'identity' = 'identity',
  ): Uint8Array {
    const header = { v: 1, kind, signer: 'org_1', audience: 'dev_gateway', serial: '01' } as const;
    const body = encodeMessage(kind, message);
    const bytes = encoding === 'gzip' ? gzipSync(body) : body;
    return encodeFrame({ ...header, counter: ++this.#counter, encoding }, bytes, text => sign(null, text, key));
  }

  time(time: number, revision: number, nonce = this.hello.session_nonce): Uint8Array {
    return this.frame('time', { v: 1, nonce, time: instant(time), revision, revoke_counter: 0 });
  }

  snapshot(to: number, ...entries: SliceEntry[]): Uint8Array {
    return this.frame('slice', { ...slice(to), put: entries, digest: digestOfEntries(entries) });
  }

  /** Also waits until chunks are processed. */
  async receive(kind: 'time' | 'slice', payload: Uint8Array): Promise<void> {
    this.session.receive(kind, payload);
    for (let turn = 0; turn < 10; turn++) await setImmediate();
  }
}

const slice = (to: number): Message<'slice'> => ({
  v: 1,
  from: null,
  to,
  digest_key_id: 'k',
  chunk: 0,
  chunks: 1,
  put: [],
  drop: [],
  digest: digestOfEntries([]),
});

describe('GatewaySession', () => {
  it('connects no controllers before it knows the devices of the site', async () => {
    const world = new World();
    await world.receive('time', world.time(today, 7));
    expect(world.happened).toEqual([]);
    await world.receive('slice', world.snapshot(7, peer('dev_a')));
    expect(world.happened).toEqual(['peers', 'ready']);
    expect(world.said.map(({ kind }) => kind)).toEqual(['hello', 'serving']);
    expect(world.snapshots.peers.has('dev_a')).toBe(true);
  });

  it('applies a compressed snapshot', async () => {
    const world = new World();
    const entries = [peer('dev_a')];
    const message = { ...slice(7), put: entries, digest: digestOfEntries(entries) };
    world.session.receive('slice', world.frame('slice', message, organization.privateKey, 'gzip'));
    await expect.poll(() => world.snapshots.held?.revision).toBe(7);
  });

  it('connects controllers after five seconds when the bridge announces nothing', () => {
    const world = new World();
    world.monotonic.advance(4_999);
    expect(world.happened).toEqual([]);
    world.monotonic.advance(1);
    expect(world.happened).toEqual(['ready']);
  });

  it("starts at once when it has the bridge's current revision", async () => {
    const first = new World();
    await first.receive('slice', first.snapshot(7, peer('dev_a')));
    const again = new World();
    expect(again.hello.slice).toEqual({ revision: 7, digest: digestOfEntries([peer('dev_a')]) });
    await again.receive('time', again.time(today, 7));
    expect(again.happened).toEqual(['ready']);
  });

  it('rejects a snapshot with a foreign signature or a replayed one, also after a restart', async () => {
    const world = new World();
    const old = world.snapshot(7, peer('dev_stolen'));
    await world.receive('slice', old);
    await world.receive('slice', world.snapshot(8, peer('dev_a')));
    await world.receive('slice', old);
    expect(world.snapshots.peers.has('dev_stolen')).toBe(false);
    const restarted = new World();
    await restarted.receive('slice', old);
    await restarted.receive('slice', restarted.frame('slice', slice(9), somebody.privateKey));
    expect(restarted.snapshots.held?.revision).toBe(8);
    expect(restarted.happened).toEqual([]);
    await restarted.receive('slice', restarted.snapshot(9));
    expect(restarted.snapshots.held?.revision).toBe(9);
  });

  it('takes the time only from a fresh response to its own request', async () => {
    const world = new World();
    const late = world.time(today + 5000, 0);
    await world.receive('time', world.time(0, 0, 'somebody-elses-nonce-xx'));
    expect(world.clock.isTrusted).toBe(false);
    world.monotonic.advance(11_000);
    await world.receive('time', late);
    expect(world.clock.isTrusted).toBe(false);
    await world.receive('time', world.time(today + 90_000, 0, world.timeNonce));
    expect([world.clock.isTrusted, world.clock.now()]).toEqual([true, today + 90_000]);
  });

  it('reports the revision it holds when a delta does not fit', async () => {
    const world = new World();
    await world.receive('slice', world.snapshot(7, peer('dev_a')));
    await world.receive('slice', world.frame('slice', { ...slice(9), from: 5 }));
    world.monotonic.advance(1);
    expect(world.syncRequest).toMatchObject({ have: { revision: 7 }, resume: null });
  });

  it('ignores a report about the link of another gateway', () => {
    const world = new World();
    world.session.receive('line', encodeMessage('line', { v: 1, online: false }));
    world.monotonic.advance(20_000);
    expect(world.said.filter(({ kind }) => kind === 'hello')).toHaveLength(2);
  });

  it('reconnects when the bridge does not respond', () => {
    const world = new World();
    world.monotonic.advance(61_000);
    expect(world.reconnects).toBe(1);
  });
});
