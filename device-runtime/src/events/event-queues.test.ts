import { describe, expect, it } from 'vitest';
import { createSampleEvents } from '@lintel/test/support/devices/sample-events';
import { EventQueues } from './event-queues.ts';
import { EventStore } from './event-store.ts';

const bufferWith = (count: number): EventStore => {
  const buffer = new EventStore({ file: ':memory:', retentionMs: 0 });
  buffer.append(createSampleEvents(1, count));
  return buffer;
};

const sequences = (events: readonly { readonly sequence: number }[]) => events.map(({ sequence }) => sequence);

describe('EventQueues', () => {
  it('sends new events before the backlog', () => {
    const buffer = bufferWith(1_001);
    const lanes = new EventQueues(buffer);
    expect(sequences(lanes.next(3))).toEqual([1, 2, 3]);
    buffer.append(createSampleEvents(1_002, 2));
    const next = [lanes.next(3), lanes.next(3), lanes.next(3)].map(sequences);
    expect(next).toContainEqual([1_002, 1_003]);
    expect(next.findIndex(batch => batch.includes(1_002))).toBeLessThan(2);
  });

  it('sends everything in order of occurrence after a short disconnection', () => {
    const buffer = bufferWith(1_000);
    const lanes = new EventQueues(buffer);
    buffer.append(createSampleEvents(1_001, 2));
    const sent = [lanes.next(500), lanes.next(500), lanes.next(500), lanes.next(500)].flatMap(sequences);
    expect(sent).toEqual(Array.from({ length: 1_002 }, (_, index) => index + 1));
  });

  it('continues with the backlog even while new events keep arriving', () => {
    const buffer = bufferWith(1_010);
    const lanes = new EventQueues(buffer);
    const sent: number[] = [];
    for (let turn = 0; turn < 12; turn++) {
      buffer.append(createSampleEvents(1_011 + turn * 300, 300));
      sent.push(...sequences(lanes.next(300)));
    }
    expect(sent.filter(sequence => sequence <= 1_010)).toHaveLength(1_010);
  });

  it('limits the events in flight until the bridge acknowledges some', () => {
    const buffer = bufferWith(6_000);
    const lanes = new EventQueues(buffer);
    const sent: { id: string; sequence: number }[] = [];
    for (let batch = lanes.next(500); batch.length > 0; batch = lanes.next(500)) sent.push(...batch);
    expect(sent).toHaveLength(5_000);
    lanes.acknowledged({ event_ids: sent.slice(0, 100).map(({ id }) => id) });
    expect(sequences(lanes.next(500))).toHaveLength(100);
    expect(buffer.waitingCount()).toBe(5_900);
  });

  it('acknowledges single events by id, and ignores ids that were never sent', () => {
    const buffer = bufferWith(4);
    const lanes = new EventQueues(buffer);
    const [, second, , fourth] = lanes.next(4);
    lanes.acknowledged({ event_ids: [second!.id, fourth!.id, 'evt_never'] });
    expect(sequences(buffer.read(0, 100, 10))).toEqual([1, 3]);
  });

  it('sends all unacknowledged events again after a reconnection', () => {
    const buffer = bufferWith(4);
    const lanes = new EventQueues(buffer);
    const [first] = lanes.next(4);
    lanes.acknowledged({ event_ids: [first!.id] });
    lanes.restart();
    expect(sequences(lanes.next(10))).toEqual([2, 3, 4]);
  });

  it('confirms no event with the number of another one', () => {
    const buffer = bufferWith(2);
    const lanes = new EventQueues(buffer);
    lanes.next(4);
    const namesake = { ...createSampleEvents(1, 1)[0]!, id: 'evt_of_an_earlier_epoch' };
    lanes.acknowledged({ event_ids: [namesake.id] });
    expect(sequences(buffer.read(0, 100, 10))).toEqual([1, 2]);
  });
});
