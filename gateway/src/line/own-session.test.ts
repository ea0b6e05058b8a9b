import { generateKeyPairSync, hash, sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { instant } from '@lintel/access-core/instant';
import type { Membership } from '@lintel/device-link/identity/membership';
import { decodeMessage, encodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { Message } from '@lintel/wire-protocol/mqtt/message-table';
import type { Hello } from '@lintel/wire-protocol/mqtt/messages/hello';
import { encodeFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { entryHash, SliceDigest } from '@lintel/wire-protocol/mqtt/slice-digest';
import type { SliceEntry } from '@lintel/wire-protocol/mqtt/slice-entry';
import type { UpKind } from '@lintel/wire-protocol/mqtt/topics';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SiteClock } from '../clock/site-clock.ts';
import { SiteFile } from '../site/site-file.ts';
import { OwnSession } from './own-session.ts';
import { OwnSlice } from './own-slice.ts';

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

const digestOf = (entries: readonly SliceEntry[]): string => {
  const digest = new SliceDigest();
  for (const entry of entries) digest.add(entryHash(entry, bytes => hash('sha256', bytes, 'buffer')));
  return digest.toString();
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-session-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The gateway's own session, and a fake bridge. */
class World {
  readonly said: { readonly kind: UpKind; readonly payload: Uint8Array }[] = [];
  readonly happened: string[] = [];
  readonly clock: SiteClock;
  readonly slice: OwnSlice;
  readonly session: OwnSession;
  monotonic = 0;
  #counter: number;
  #nonces = 0;

  constructor(counter = 0) {
    this.#counter = counter;
    const monotonic = () => this.monotonic;
    this.clock = new SiteClock({ monotonic, system: () => today, floor: null, save: () => undefined });
    this.slice = new OwnSlice(
      new SiteFile(join(folder, 'site.json')),
      () => membership,
      () => undefined,
    );
    this.session = new OwnSession({
      membership: () => membership,
      digestKeyId: 'k',
      firmware: 'test',
      clock: this.clock,
      slice: this.slice,
      monotonic,
      newNonce: () => `nonce-${++this.#nonces}`.padEnd(22, 'x'),
      timers: { after: () => () => undefined },
      log: (_, message) => this.happened.push(message),
      publish: (kind, payload) => this.said.push({ kind, payload }),
      status: () => ({}) as never,
      revokeCounter: () => 0,
      onSettled: () => this.happened.push('settled'),
      onPeers: () => this.happened.push('peers'),
    });
    this.session.connecting();
    this.session.connected();
  }

  get hello(): Hello {
    const last = this.said.findLast(({ kind }) => kind === 'hello')!;
    const read = decodeMessage('hello', last.payload);
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    return read.value;
  }

  frame<K extends 'time' | 'slice'>(kind: K, message: Message<K>, key = organization.privateKey): Uint8Array {
    const header = { v: 1, kind, signer: 'org_1', audience: 'dev_gateway', serial: '01' } as const;
    const encoding = kind === 'slice' ? 'gzip' : 'identity';
    const body = encodeMessage(kind, message);
    const bytes = encoding === 'gzip' ? gzipSync(body) : body;
    return encodeFrame({ ...header, counter: ++this.#counter, encoding }, bytes, text => sign(null, text, key));
  }

  time(time: number, revision: number, nonce = this.hello.session_nonce): Uint8Array {
    return this.frame('time', { v: 1, nonce, time: instant(time), revision, revoke_counter: 0 });
  }

  snapshot(to: number, ...entries: SliceEntry[]): Uint8Array {
    const whole = { v: 1, from: null, to, digest_key_id: 'k', chunk: 0, chunks: 1, drop: [] } as const;
    return this.frame('slice', { ...whole, put: entries, digest: digestOf(entries), drop: [] });
  }

  hears(kind: 'time' | 'slice', payload: Uint8Array): void {
    this.session.heard(kind, payload);
  }
}

describe('OwnSession', () => {
  it('connects no controllers before it knows the devices of the site', () => {
    const world = new World();
    world.hears('time', world.time(today, 7));
    expect(world.happened).toEqual([]);
    world.hears('slice', world.snapshot(7, peer('dev_a')));
    expect(world.happened).toEqual(['peers', 'settled']);
    expect(world.said.map(({ kind }) => kind)).toEqual(['hello', 'serving']);
    expect(world.slice.peers.has('dev_a')).toBe(true);
  });

  it("starts at once when it has the bridge's current revision", () => {
    const first = new World();
    first.hears('slice', first.snapshot(7, peer('dev_a')));
    const again = new World(10);
    expect(again.hello.slice).toEqual({ revision: 7, digest: digestOf([peer('dev_a')]) });
    again.hears('time', again.time(today, 7));
    expect(again.happened).toEqual(['settled']);
  });

  it('rejects a snapshot with a foreign signature or a replayed one, also after a restart', () => {
    const world = new World();
    const old = world.snapshot(7, peer('dev_stolen'));
    world.hears('slice', old);
    world.hears('slice', world.snapshot(8, peer('dev_a')));
    world.hears('slice', old);
    expect(world.slice.peers.has('dev_stolen')).toBe(false);
    const restarted = new World(10);
    restarted.hears('slice', old);
    const forged = { v: 1, from: null, to: 9, digest_key_id: 'k', chunk: 0, chunks: 1, put: [], drop: [] } as const;
    const message = { ...forged, put: [], drop: [], digest: digestOf([]) };
    restarted.hears('slice', restarted.frame('slice', message, somebody.privateKey));
    expect(restarted.slice.held?.revision).toBe(8);
    expect(restarted.happened).toHaveLength(2);
  });

  it('takes the time only from a fresh response to its own request', () => {
    const world = new World();
    const late = world.time(today + 5000, 0);
    world.hears('time', world.time(0, 0, 'somebody-elses-nonce-xx'));
    expect(world.clock.isTrusted).toBe(false);
    world.monotonic = 60_000;
    world.hears('time', late);
    expect(world.clock.isTrusted).toBe(false);
    world.session.askTime();
    const asked = decodeMessage('time-request', world.said.at(-1)!.payload);
    world.hears('time', world.time(today + 90_000, 0, asked.ok ? asked.value.nonce : ''));
    expect([world.clock.isTrusted, world.clock.now()]).toEqual([true, today + 90_000]);
  });

  it('reports the revision it holds when a delta does not fit', () => {
    const world = new World();
    world.hears('slice', world.snapshot(7, peer('dev_a')));
    const change = { v: 1, from: 5, to: 9, digest_key_id: 'k', chunk: 0, chunks: 1, put: [], drop: [] } as const;
    world.hears('slice', world.frame('slice', { ...change, put: [], drop: [], digest: digestOf([]) }));
    const request = decodeMessage('sync-request', world.said.at(-1)!.payload);
    expect(request).toMatchObject({ ok: true, value: { have: { revision: 7 }, resume: null } });
  });
});
