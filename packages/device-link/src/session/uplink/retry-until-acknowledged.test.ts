import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { beforeEach, describe, expect, it } from 'vitest';
import { RetryUntilAcknowledged } from './retry-until-acknowledged.ts';
import type { UplinkPublisher } from './uplink-publisher.ts';

let clock: VirtualClock;
let change: object | null;
let sent: number;
let retry: RetryUntilAcknowledged<'rules-copy', object>;

beforeEach(() => {
  clock = new VirtualClock();
  change = {};
  sent = 0;
  const publisher = { publish: async () => ++sent > 0 } as unknown as UplinkPublisher;
  const source = {
    pending: () => change as never,
    acknowledged: () => {
      change = null;
    },
    onPending: () => undefined,
  };
  retry = new RetryUntilAcknowledged('rules-copy', source, { publisher, clock });
});

describe('RetryUntilAcknowledged', () => {
  it('sends a change when the bridge can be reached, and again at intervals of at most a minute', () => {
    expect(sent).toBe(0);
    retry.setOnline(true);
    expect(sent).toBe(1);
    for (const wait of [10_000, 20_000, 40_000, 60_000, 60_000]) {
      const before = sent;
      clock.advance(wait - 1);
      expect(sent).toBe(before);
      clock.advance(1);
      expect(sent).toBe(before + 1);
    }
  });

  it('sends it again as soon as the link or the bridge is back', () => {
    retry.setOnline(true);
    clock.advance(2_000);
    retry.timeReceived();
    expect(sent).toBe(1);
    clock.advance(2_000);
    retry.timeReceived();
    expect(sent).toBe(2);
    retry.setOnline(false);
    clock.advance(600_000);
    expect(sent).toBe(2);
    retry.setOnline(true);
    expect(sent).toBe(3);
  });

  it('sends nothing after the response', () => {
    retry.setOnline(true);
    retry.acknowledge({});
    clock.advance(600_000);
    retry.timeReceived();
    expect(sent).toBe(1);
  });
});
