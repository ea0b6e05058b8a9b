import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIsoTimeFormatter } from './iso-time-formatter.ts';

describe('createIsoTimeFormatter', () => {
  it('agrees with Date.toISOString from the first to the last representable time', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -8.64e15, max: 8.64e15 }), { maxLength: 5 }), times => {
        const isoTime = createIsoTimeFormatter();
        for (const time of times) {
          for (const at of [time, Math.min(time + 1, 8.64e15)]) expect(isoTime(at)).toBe(new Date(at).toISOString());
        }
      }),
    );
    const isoTime = createIsoTimeFormatter();
    for (const at of [0, -1, 86_399_999, 86_400_000]) expect(isoTime(at)).toBe(new Date(at).toISOString());
  });
});
