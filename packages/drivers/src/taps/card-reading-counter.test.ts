import { MINUTE_MS } from '@lintel/access-core/durations';
import { monotonic } from '@lintel/access-core/monotonic-time';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { CardReadingCounter } from './card-reading-counter.ts';

describe('reader signal record', () => {
  it('counts clean and damaged readings, and names the most frequent damage', () => {
    const record = new CardReadingCounter(new VirtualClock());
    expect(record.readings()).toMatchObject({ clean: 0, broken: 0, worst: null, broken_ago_ms: null });
    for (const trouble of ['silent', 'damaged', 'damaged'] as const) record.recordError(trouble);
    record.recordSuccess();
    expect(record.readings()).toMatchObject({ clean: 1, broken: 3, worst: 'damaged' });
  });

  it('drops readings older than 15 minutes, and no younger ones', () => {
    const clock = new VirtualClock();
    const record = new CardReadingCounter(clock);
    record.recordError('silent');
    clock.advance(14 * MINUTE_MS);
    record.recordSuccess();
    expect(record.readings()).toMatchObject({ clean: 1, broken: 1 });
    clock.advance(MINUTE_MS);
    expect(record.readings()).toMatchObject({ clean: 1, broken: 0, worst: null });
    clock.advance(60 * MINUTE_MS);
    expect(record.readings()).toMatchObject({ clean: 0, broken: 0 });
  });

  it('states since when all readings are clean', () => {
    const clock = new VirtualClock();
    const record = new CardReadingCounter(clock);
    record.recordSuccess();
    record.recordError('lost');
    clock.advance(5_000);
    record.recordSuccess();
    record.recordSuccess();
    expect(record.readings()).toMatchObject({ clean_in_a_row: 2, broken_ago_ms: 5_000 });
  });

  it('agrees with a plain list of timed readings at any time', () => {
    const steps = fc.array(fc.record({ wait: fc.nat(4 * MINUTE_MS), isClean: fc.boolean() }), { maxLength: 60 });
    fc.assert(
      fc.property(steps, fc.integer({ min: -1e9, max: 1e9 }), (all, start) => {
        let now = start;
        const record = new CardReadingCounter({ now: () => monotonic(now) });
        const listed: { minute: number; isClean: boolean }[] = [];
        for (const { wait, isClean } of all) {
          now += wait;
          if (isClean) record.recordSuccess();
          else record.recordError('damaged');
          listed.push({ minute: Math.floor(now / MINUTE_MS), isClean });
          const recent = listed.filter(({ minute }) => minute > Math.floor(now / MINUTE_MS) - 15);
          const clean = recent.filter(one => one.isClean).length;
          expect(record.readings()).toMatchObject({ clean, broken: recent.length - clean });
        }
      }),
    );
  });
});
