import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { decodeUnverifiedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { describe, expect, it } from 'vitest';
import type { SessionLink } from '../session-link-interface.ts';
import { UplinkCounter, volatileUplinkCounterStore } from './uplink-counter.ts';
import { UplinkPublisher } from './uplink-publisher.ts';

const event = (sequence: number): DeviceEvent => ({
  id: `evt_${String(sequence).padStart(26, '0')}` as DeviceEvent['id'],
  sequence,
  kind: 'fault',
  occurred_at: 1_780_000_000_000 as DeviceEvent['occurred_at'],
  time_trusted: true,
});

const eventsFrom = (first: number, count: number): DeviceEvent[] =>
  Array.from({ length: count }, (_, index) => event(first + index));

describe('UplinkPublisher', () => {
  it('preserves the order when a small batch follows a large one that takes longer to compress', async () => {
    const published: number[] = [];
    const link = {
      identity: () => ({ device_id: 'dev_1', organization_id: 'org_1', serial: '01', sign: () => new Uint8Array(64) }),
      publish: async (_: string, payload: Uint8Array) => {
        const frame = decodeUnverifiedFrame(payload);
        if (frame.ok) published.push(frame.value.header.counter, frame.value.header.encoding === 'gzip' ? 500 : 1);
      },
    } as unknown as SessionLink;
    const publisher = new UplinkPublisher(link, {
      counter: new UplinkCounter({ ...volatileUplinkCounterStore, read: () => 1 }, 0),
    });
    const large = publisher.publish('events', { v: 1, events: eventsFrom(1, 500) });
    const small = publisher.publish('events', { v: 1, events: eventsFrom(501, 1) });
    await Promise.all([large, small]);
    expect(published).toEqual([2, 500, 3, 1]);
  });
});
