import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BrokerSubscriptions } from './subscriptions.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

const part = fc.constantFrom('a', 'b', 'c');
const topics = fc.array(part, { minLength: 1, maxLength: 4 }).map(parts => parts.join('/'));
const filters = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', 'c', '+'), { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([parts, isSubtree]) => [...parts, ...(isSubtree ? ['#'] : [])].join('/'));

/** The rule of the standard as a regular expression. */
const matches = (filter: string, topic: string): boolean => {
  const pattern = filter.replaceAll('+', '[^/]*').replace(/\/#$/, '(/.*)?').replace(/^#$/, '.*');
  return new RegExp(`^${pattern}$`).test(topic);
};

describe('BrokerSubscriptions', () => {
  it('returns each receiver of a topic once, with the highest QoS of its subscriptions', () => {
    const subscription = fc.record({
      client: fc.nat(3),
      filter: fc.oneof(filters, fc.constant('#')),
      qos: fc.constantFrom(0, 1),
    });
    fc.assert(
      fc.property(fc.array(subscription, { maxLength: 12 }), topics, (asked, topic) => {
        const table = new BrokerSubscriptions<number>();
        const latest = new Map<string, { client: number; filter: string; qos: 0 | 1 }>();
        for (const { client, filter, qos } of asked) {
          table.add(filter, client, qos);
          latest.set(`${client} ${filter}`, { client, filter, qos });
        }
        const wanted: Record<number, number> = {};
        for (const { client, filter, qos } of latest.values())
          if (matches(filter, topic)) wanted[client] = Math.max(wanted[client] ?? 0, qos);
        const found = [...table.receivers(topic)];
        expect(Object.fromEntries(found.map(({ client, qos }) => [client, qos]))).toEqual(wanted);
        expect(found).toHaveLength(Object.keys(wanted).length);
      }),
      { numRuns: iterations({ sample: 100, all: 1_000 }) },
    );
  });

  it('removes subscriptions', () => {
    const table = new BrokerSubscriptions<string>();
    table.add('a/+', 'first', 1);
    table.add('a/+', 'second', 1);
    table.remove('a/+', 'first');
    table.remove('a/#', 'second');
    expect([...table.receivers('a/b')].map(({ client }) => client)).toEqual(['second']);
    table.remove('a/+', 'second');
    expect([...table.receivers('a/b')]).toEqual([]);
  });
});
