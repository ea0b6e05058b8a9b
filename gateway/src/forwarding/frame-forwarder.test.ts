import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceId, EventId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { encodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import { decodeUnverifiedFrame, encodeSignedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { parseMqttTopic } from '@lintel/wire-protocol/mqtt/topics';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FaultRegistry } from '@lintel/service/faults/fault-registry';
import { GatewayMessageStore } from '../gateway-message-store.ts';
import { type FrameForwardingLimits, FrameForwarder } from './frame-forwarder.ts';
import { toEventRanges } from '../store/event-ranges.ts';
import { decodeFrameEventIds } from './verify-controller-frame.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

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
  return encodeSignedFrame({ ...header, encoding: 'identity' }, encodeMqttMessage('events', { v: 1, events }), bytes =>
    sign(null, bytes, privateKey),
  );
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-forward-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A link to a fake bridge. */
class ForwardingLink {
  readonly store: GatewayMessageStore;
  readonly forwarder: FrameForwarder;
  readonly sent: { readonly device: DeviceId; readonly sequences: readonly number[] }[] = [];
  readonly discarded: DeviceId[] = [];
  now = 0;

  constructor(limits: Partial<FrameForwardingLimits> = {}, name = 'store.db') {
    this.store = new GatewayMessageStore(join(folder, name), new FaultRegistry(() => instant(0)));
    this.forwarder = new FrameForwarder({
      store: this.store.frames,
      publish: (topic, payload) => this.#take(topic, payload),
      isSubscribed: () => true,
      monotonic: () => this.now,
      onDiscarded: device => this.discarded.push(device),
      limits,
    });
  }

  #take(topic: string, payload: Uint8Array): void {
    const parsed = parseMqttTopic(topic);
    const frame = decodeUnverifiedFrame(payload);
    if (parsed?.direction !== 'up' || !frame.ok) throw new Error(`Unexpected message on ${topic}`);
    this.sent.push({
      device: parsed.device_id,
      sequences: (decodeFrameEventIds(frame.value) ?? []).map(({ sequence }) => sequence),
    });
  }

  add(device: DeviceId, ...sequences: readonly number[]): string {
    return this.addSigned(device, '01', ...sequences);
  }

  addSigned(device: DeviceId, serial: string, ...sequences: readonly number[]): string {
    const ranges = toEventRanges(sequences.map(sequence => ({ epoch: '', sequence })));
    const frame = {
      device,
      serial,
      kind: 'events',
      ranges,
      receivedAt: 0,
      payload: batch(device, sequences),
    } as const;
    const result = this.store.frames.add(frame, this.forwarder.sentUpTo(device));
    this.forwarder.wake(device);
    return result;
  }

  ack(device: DeviceId, ...sequences: readonly number[]): void {
    this.forwarder.handleAck(device, { event_ids: sequences.map(sequence => idOf(device, sequence)) });
  }

  sentBy(device: DeviceId): number[] {
    return this.sent.filter(frame => frame.device === device).flatMap(({ sequences }) => sequences);
  }

  close(): void {
    this.store.close();
  }
}

describe('FrameForwarder', () => {
  it('sends nothing while offline, and everything from the oldest on when online', () => {
    const link = new ForwardingLink();
    link.add(a, 1, 2);
    link.add(a, 3);
    expect(link.sent).toEqual([]);
    link.forwarder.resume();
    expect(link.sentBy(a)).toEqual([1, 2, 3]);
    link.close();
  });

  it('limits frames in flight, and takes turns between controllers', () => {
    const link = new ForwardingLink({ maxFramesPerDevice: 2, maxFrames: 5 });
    for (const device of [a, b, c]) for (let n = 1; n <= 4; n++) link.add(device, n);
    link.forwarder.resume();
    expect(link.sent.map(({ device, sequences }) => `${device} ${sequences.join()}`)).toEqual([
      'dev_a 1',
      'dev_b 1',
      'dev_c 1',
      'dev_a 2',
      'dev_b 2',
    ]);
    link.ack(b, 1);
    expect(link.sentBy(c)).toEqual([1, 2]);
    link.ack(b, 2);
    expect(link.sentBy(b)).toEqual([1, 2, 3]);
    link.close();
  });

  it('releases a frame when all of its events are acknowledged, and not before', () => {
    const link = new ForwardingLink();
    link.forwarder.resume();
    link.add(a, 1, 2, 3);
    link.ack(a, 1);
    expect(link.store.frames.total.frames).toBe(1);
    link.ack(a, 3);
    expect(link.store.frames.total.frames).toBe(1);
    link.ack(a, 2);
    expect(link.store.frames.total.frames).toBe(0);
    link.close();
  });

  it('retries unanswered frames in order at increasing intervals, and finally gives up', () => {
    const link = new ForwardingLink({ responseTimeoutMs: 10, maxAttempts: 3 });
    link.forwarder.resume();
    link.add(a, 1);
    link.add(a, 2);
    link.now = 9;
    link.forwarder.resendOverdue();
    expect(link.sentBy(a)).toEqual([1, 2]);
    link.now = 10;
    link.forwarder.resendOverdue();
    expect(link.sentBy(a)).toEqual([1, 2, 1, 2]);
    link.now = 29;
    link.forwarder.resendOverdue();
    expect(link.sentBy(a).length).toBe(4);
    link.now = 30;
    link.forwarder.resendOverdue();
    expect(link.sentBy(a)).toEqual([1, 2, 1, 2, 1, 2]);
    link.now = 70;
    link.forwarder.resendOverdue();
    expect(link.discarded).toEqual([a]);
    expect(link.sentBy(a).slice(6)).toEqual([2]);
    expect(link.store.frames.total.frames).toBe(1);
    link.close();
  });

  it('starts with the oldest again after a disconnection', () => {
    const link = new ForwardingLink({ maxFramesPerDevice: 2 });
    for (let n = 1; n <= 4; n++) link.add(a, n);
    link.forwarder.resume();
    link.ack(a, 1);
    link.forwarder.pause();
    link.sent.length = 0;
    link.forwarder.resume();
    expect(link.sentBy(a)).toEqual([2, 3]);
    link.close();
  });

  it('stores an event whose number was used before the controller restarted', () => {
    const link = new ForwardingLink();
    link.add(a, 1, 2);
    const payload = batch(a, [2]);
    const ranges = toEventRanges([{ epoch: 'next', sequence: 2 }]);
    const frame = { device: a, serial: '01', kind: 'events', ranges, receivedAt: 0, payload } as const;
    expect(link.store.frames.add(frame)).toBe('stored');
    expect(link.store.frames.add(frame)).toBe('duplicate');
    expect(link.store.frames.total).toMatchObject({ frames: 2, events: 3 });
    link.close();
  });

  it('replaces small batches by one large batch that covers them', () => {
    const link = new ForwardingLink();
    for (let n = 1; n <= 6; n++) link.add(a, n);
    expect(link.add(a, 2, 3, 4, 5)).toBe('stored');
    expect(link.store.frames.total).toMatchObject({ frames: 3, events: 6 });
    expect(link.add(a, 3, 4)).toBe('duplicate');
    link.forwarder.resume();
    expect(link.sent.map(({ sequences }) => sequences)).toEqual([[1], [2, 3, 4, 5], [6]]);
    link.close();
  });

  it('sends events that a renewed certificate has signed again, without waiting for the frames of the earlier one', () => {
    const link = new ForwardingLink({ maxFramesPerDevice: 4 });
    link.forwarder.resume();
    for (let n = 1; n <= 6; n++) link.add(a, n);
    expect(link.sentBy(a)).toEqual([1, 2, 3, 4]);
    // The bridge does not respond to them, because the certificate has expired.
    link.addSigned(a, '02', 1, 2, 3);
    link.addSigned(a, '02', 4, 5, 6);
    expect(link.sent.map(({ sequences }) => sequences).slice(4)).toEqual([[5], [6], [1, 2, 3], [4, 5, 6]]);
    expect(link.store.frames.total).toMatchObject({ frames: 2, events: 6 });
    link.ack(a, 1, 2, 3);
    link.ack(a, 4, 5, 6);
    expect(link.store.frames.total).toMatchObject({ frames: 0, events: 0 });
    expect(link.forwarder.inFlight).toBe(0);
    link.close();
  });

  it('keeps frames of an earlier certificate until all their events are stored again', () => {
    const link = new ForwardingLink();
    link.add(a, 1, 2, 3);
    link.addSigned(a, '02', 1, 2);
    expect(link.store.frames.total).toMatchObject({ frames: 2 });
    link.addSigned(a, '02', 3);
    expect(link.store.frames.total).toMatchObject({ frames: 2, events: 3 });
    link.close();
  });

  it('makes room for others when frames in flight were signed with a revoked certificate', () => {
    const link = new ForwardingLink({ maxFrames: 2 });
    link.forwarder.resume();
    link.add(a, 1);
    link.add(a, 2);
    link.add(b, 1);
    expect(link.sentBy(b)).toEqual([]);
    link.store.removeExcept(new Set([a, b]), device => device !== a);
    link.forwarder.wake(b);
    expect(link.sentBy(b)).toEqual([1]);
    link.close();
  });

  it('delivers every event in order to a bridge that loses messages, connections and responses', () => {
    const anyStep = fc.oneof(
      fc.record({ do: fc.constant('tap' as const), count: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ do: fc.constantFrom('cut' as const, 'ack' as const, 'late' as const, 'again' as const) }),
    );
    let runs = 0;
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 30 }), steps => {
        const link = new ForwardingLink(
          { maxFramesPerDevice: 3, responseTimeoutMs: 10, maxAttempts: 1000 },
          `run-${runs++}.db`,
        );
        const received: number[] = [];
        let [tapped, read] = [0, 0];
        link.forwarder.resume();
        const commit = (): void => {
          for (const { sequences } of link.sent.slice(read)) {
            for (const sequence of sequences) if (!received.includes(sequence)) received.push(sequence);
          }
          read = link.sent.length;
        };
        const run = (step: (typeof steps)[number]): void => {
          if (step.do === 'tap') {
            link.add(a, ...Array.from({ length: step.count }, () => ++tapped));
          } else if (step.do === 'ack') {
            commit();
            link.ack(a, ...received);
          } else if (step.do === 'cut') {
            // Frames in flight are lost with the connection.
            read = link.sent.length;
            link.forwarder.pause();
            link.forwarder.resume();
          } else if (step.do === 'again' && tapped > received.length) {
            link.add(a, ...Array.from({ length: tapped - received.length }, (_, index) => received.length + 1 + index));
          } else {
            link.now += 10_000;
            link.forwarder.resendOverdue();
          }
        };
        for (const step of steps) run(step);
        for (let more = 0; more < tapped + 2; more++) run({ do: 'ack' });
        expect(received).toEqual(Array.from({ length: tapped }, (_, index) => index + 1));
        expect(link.store.frames.total).toEqual({ frames: 0, bytes: 0, events: 0 });
        link.close();
      }),
      { numRuns: iterations({ sample: 15, all: 60 }) },
    );
  });
});
