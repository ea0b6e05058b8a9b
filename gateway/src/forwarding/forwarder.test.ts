import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceId, EventId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { encodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import { decodeFrame, encodeFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { parseTopic } from '@lintel/wire-protocol/mqtt/topics';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FaultRegistry } from '@lintel/service/faults/fault-registry';
import { SiteStore } from '../site-store.ts';
import { type ForwardLimits, Forwarder } from './forwarder.ts';
import { eventsIn } from './signed-batch.ts';
import { iterations } from '@lintel/test/support/test-budget';

const { privateKey } = generateKeyPairSync('ed25519');
const [a, b, c] = ['dev_a', 'dev_b', 'dev_c'] as DeviceId[] as [DeviceId, DeviceId, DeviceId];
const idOf = (device: DeviceId, sequence: number): EventId =>
  `evt_${device.slice(4)}${String(sequence).padStart(25, '0')}` as EventId;

const batch = (device: DeviceId, sequences: readonly number[]): Uint8Array => {
  const events = sequences.map(sequence => ({
    id: idOf(device, sequence),
    sequence,
    kind: 'use' as const,
    occurred_at: instant(0),
    time_trusted: true,
  }));
  const header = { v: 1, kind: 'events', signer: device, audience: 'org_1', serial: '01', counter: 1 } as const;
  return encodeFrame({ ...header, encoding: 'identity' }, encodeMessage('events', { v: 1, events }), bytes =>
    sign(null, bytes, privateKey),
  );
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-forward-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A link to a fake bridge. */
class Line {
  readonly store: SiteStore;
  readonly forwarder: Forwarder;
  readonly sent: { readonly device: DeviceId; readonly sequences: readonly number[] }[] = [];
  readonly givenUp: DeviceId[] = [];
  now = 0;

  constructor(limits: Partial<ForwardLimits> = {}, name = 'store.db') {
    this.store = new SiteStore(join(folder, name), new FaultRegistry(() => instant(0)));
    this.forwarder = new Forwarder({
      store: this.store.frames,
      publish: (topic, payload) => this.#take(topic, payload),
      isHeard: () => true,
      monotonic: () => this.now,
      onGivenUp: device => this.givenUp.push(device),
      limits,
    });
  }

  #take(topic: string, payload: Uint8Array): void {
    const parsed = parseTopic(topic);
    const frame = decodeFrame(payload);
    if (parsed?.direction !== 'up' || !frame.ok) throw new Error(`what is ${topic}?`);
    this.sent.push({ device: parsed.device_id, sequences: (eventsIn(frame.value) ?? []).map(one => one.sequence) });
  }

  keep(device: DeviceId, ...sequences: readonly number[]): string {
    const spans = sequences.map(one => [one, one] as const);
    const frame = {
      device,
      serial: '01',
      kind: 'events',
      spans,
      receivedAt: 0,
      payload: batch(device, sequences),
    } as const;
    const keeping = this.store.frames.keep(frame, this.forwarder.sentUpTo(device));
    this.forwarder.wake(device);
    return keeping;
  }

  ack(device: DeviceId, upTo: number, ...beyond: readonly number[]): void {
    this.forwarder.acknowledged(device, { v: 1, up_to: upTo, event_ids: beyond.map(one => idOf(device, one)) });
  }

  of(device: DeviceId): number[] {
    return this.sent.filter(one => one.device === device).flatMap(({ sequences }) => sequences);
  }

  close(): void {
    this.store.close();
  }
}

describe('Forwarder', () => {
  it('sends nothing while offline, and everything from the oldest on when online', () => {
    const line = new Line();
    line.keep(a, 1, 2);
    line.keep(a, 3);
    expect(line.sent).toEqual([]);
    line.forwarder.open();
    expect(line.of(a)).toEqual([1, 2, 3]);
    line.close();
  });

  it('limits frames in flight, and takes turns between controllers', () => {
    const line = new Line({ mostOfOne: 2, most: 5 });
    for (const device of [a, b, c]) for (let n = 1; n <= 4; n++) line.keep(device, n);
    line.forwarder.open();
    expect(line.sent.map(({ device, sequences }) => `${device} ${sequences.join()}`)).toEqual([
      'dev_a 1',
      'dev_b 1',
      'dev_c 1',
      'dev_a 2',
      'dev_b 2',
    ]);
    line.ack(b, 1);
    expect(line.of(c)).toEqual([1, 2]);
    line.ack(b, 2);
    expect(line.of(b)).toEqual([1, 2, 3]);
    line.close();
  });

  it('releases a frame when all of its events are acknowledged in any form, and not before', () => {
    const line = new Line();
    line.forwarder.open();
    line.keep(a, 1, 2, 3);
    line.ack(a, 1);
    expect(line.store.frames.total.frames).toBe(1);
    line.ack(a, 1, 3);
    expect(line.store.frames.total.frames).toBe(1);
    line.ack(a, 2);
    expect(line.store.frames.total.frames).toBe(0);
    line.close();
  });

  it('also releases frames that are acknowledged before they were sent', () => {
    const line = new Line();
    line.keep(a, 1, 2);
    line.keep(a, 3, 4);
    line.ack(a, 3);
    expect(line.store.frames.total).toMatchObject({ frames: 1, events: 2 });
    line.close();
  });

  it('retries unanswered frames in order at increasing intervals, and finally gives up', () => {
    const line = new Line({ answerMs: 10, mostAttempts: 3 });
    line.forwarder.open();
    line.keep(a, 1);
    line.keep(a, 2);
    line.now = 9;
    line.forwarder.tick();
    expect(line.of(a)).toEqual([1, 2]);
    line.now = 10;
    line.forwarder.tick();
    expect(line.of(a)).toEqual([1, 2, 1, 2]);
    line.now = 29;
    line.forwarder.tick();
    expect(line.of(a).length).toBe(4);
    line.now = 30;
    line.forwarder.tick();
    expect(line.of(a)).toEqual([1, 2, 1, 2, 1, 2]);
    line.now = 70;
    line.forwarder.tick();
    expect(line.givenUp).toEqual([a]);
    expect(line.of(a).slice(6)).toEqual([2]);
    expect(line.store.frames.total.frames).toBe(1);
    line.close();
  });

  it('starts with the oldest again after a disconnection', () => {
    const line = new Line({ mostOfOne: 2 });
    for (let n = 1; n <= 4; n++) line.keep(a, n);
    line.forwarder.open();
    line.ack(a, 1);
    line.forwarder.close();
    line.sent.length = 0;
    line.forwarder.open();
    expect(line.of(a)).toEqual([2, 3]);
    line.close();
  });

  it('replaces small batches by one large batch that covers them', () => {
    const line = new Line();
    for (let n = 1; n <= 6; n++) line.keep(a, n);
    expect(line.keep(a, 2, 3, 4, 5)).toBe('kept');
    expect(line.store.frames.total).toMatchObject({ frames: 3, events: 6 });
    expect(line.keep(a, 3, 4)).toBe('known');
    line.forwarder.open();
    expect(line.sent.map(({ sequences }) => sequences)).toEqual([[1], [2, 3, 4, 5], [6]]);
    line.close();
  });

  it('delivers every event in order to a bridge that loses messages, connections and responses', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('tap' as const), count: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ do: fc.constantFrom('cut' as const, 'ack' as const, 'late' as const, 'again' as const) }),
    );
    let run = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), steps => {
        const line = new Line({ mostOfOne: 3, answerMs: 10, mostAttempts: 1000 }, `run-${run++}.db`);
        const has: number[] = [];
        let [tapped, read] = [0, 0];
        line.forwarder.open();
        const commit = (): void => {
          for (const { sequences } of line.sent.slice(read)) {
            for (const one of sequences) if (!has.includes(one)) has.push(one);
          }
          read = line.sent.length;
        };
        const work = (one: (typeof steps)[number]): void => {
          if (one.do === 'tap') {
            line.keep(a, ...Array.from({ length: one.count }, () => ++tapped));
          } else if (one.do === 'ack') {
            commit();
            line.ack(a, has.length);
          } else if (one.do === 'cut') {
            // Frames in flight are lost with the connection.
            read = line.sent.length;
            line.forwarder.close();
            line.forwarder.open();
          } else if (one.do === 'again' && tapped > has.length) {
            line.keep(a, ...Array.from({ length: tapped - has.length }, (_, index) => has.length + 1 + index));
          } else {
            line.now += 10_000;
            line.forwarder.tick();
          }
        };
        for (const one of steps) work(one);
        for (let more = 0; more < tapped + 2; more++) work({ do: 'ack' });
        expect(has).toEqual(Array.from({ length: tapped }, (_, index) => index + 1));
        expect(line.store.frames.total).toEqual({ frames: 0, bytes: 0, events: 0 });
        line.close();
      }),
      { numRuns: iterations({ sample: 15, all: 60 }) },
    );
  });
});
