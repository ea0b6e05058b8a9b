import type { DeviceId } from '@lintel/access-core/ids';
import { describe, expect, it } from 'vitest';
import { WaitingMessages } from './waiting-messages.ts';

const [a, b] = ['dev_a', 'dev_b'] as DeviceId[] as [DeviceId, DeviceId];
const message = (topic: string, bytes = 1) => ({ kind: 'events', topic, payload: new Uint8Array(bytes) }) as const;

describe('WaitingMessages', () => {
  it('lets the devices take turns, with the messages of each in order', () => {
    const waiting = new WaitingMessages();
    for (const topic of ['a1', 'a2', 'a3']) waiting.add(a, message(topic));
    waiting.add(b, message('b1'));
    expect([1, 2, 3, 4, 5].map(() => waiting.next()?.topic)).toEqual(['a1', 'b1', 'a2', 'a3', undefined]);
    expect(waiting.has(a)).toBe(false);
  });

  it('limits the messages and bytes of one device, but takes a single large message', () => {
    const waiting = new WaitingMessages();
    expect(waiting.add(a, message('large', 2 * 1024 * 1024))).toBe(true);
    expect(waiting.add(a, message('small'))).toBe(false);
    expect(waiting.add(b, message('other'))).toBe(true);
    expect(waiting.takeAll(a).map(({ topic }) => topic)).toEqual(['large']);
    for (let count = 0; count < 63; count++) expect(waiting.add(b, message('more'))).toBe(true);
    expect(waiting.add(b, message('too many'))).toBe(false);
  });

  it('copies the payload, whose buffer the broker may reuse', () => {
    const waiting = new WaitingMessages();
    const payload = Uint8Array.of(1);
    waiting.add(a, { kind: 'events', topic: 'a1', payload });
    payload[0] = 2;
    expect(waiting.next()?.payload).toEqual(Uint8Array.of(1));
  });
});
