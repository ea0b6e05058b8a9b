import { describe, expect, it } from 'vitest';
import { createTestActivityEntry } from '../simulator-state.test-support.ts';
import { listEventHops, describeEventHop } from './event-hops.ts';

const clock = (iso: string): string => iso.slice(11, 19);
const at = (ms: number): string => new Date(Date.UTC(2026, 5, 1, 10) + ms).toISOString();
const statesOf = (event: Parameters<typeof listEventHops>[0]) => listEventHops(event, clock).map(({ state }) => state);
const timesOf = (event: Parameters<typeof listEventHops>[0]) => listEventHops(event, clock).map(({ time }) => time);

describe('listEventHops', () => {
  it('waits for the next stop, not for later ones', () => {
    expect(statesOf(createTestActivityEntry())).toEqual(['reached', 'next', 'later', 'later']);
  });

  it('skips the gateway for a controller with a direct connection', () => {
    expect(statesOf(createTestActivityEntry({ passes_gateway: false }))).toEqual([
      'reached',
      'skipped',
      'next',
      'later',
    ]);
  });

  it('begins at the bridge for a decision of the bridge', () => {
    const way = { door: null, gateway: null, bridge: at(0), webhook: null };
    const decided = createTestActivityEntry({ decided_by: 'bridge', passes_gateway: false, way });
    expect(statesOf(decided)).toEqual(['skipped', 'skipped', 'reached', 'next']);
    expect(timesOf(decided)).toEqual(['', '', '10:00:00', '']);
  });

  it('shows the time at the first stop and the delay at the others', () => {
    const way = { door: at(0), gateway: at(14), bridge: at(2345), webhook: at(3_600_000 * 2) };
    expect(timesOf(createTestActivityEntry({ way }))).toEqual(['10:00:00', '+14 ms', '+2.3 s', '+2 h']);
    expect(timesOf(createTestActivityEntry({ way: { ...way, webhook: at(180_000) } })).at(-1)).toBe('+3 min');
  });

  it('shows no delay for a clock that was changed', () => {
    const way = { door: at(0), gateway: at(-5), bridge: at(-3 * 86_400_000), webhook: at(3 * 86_400_000) };
    expect(timesOf(createTestActivityEntry({ way }))).toEqual(['10:00:00', '+0 ms', '10:00:00', '10:00:00']);
  });

  it('has a text for screen readers', () => {
    const texts = listEventHops(createTestActivityEntry({ passes_gateway: false }), clock).map(describeEventHop);
    expect(texts).toEqual(['Door: 10:00:00', 'Gateway: not used', 'Bridge: waiting', 'Webhook: not yet']);
  });
});
