import { healthStates } from '@lintel/wire-protocol/technician/health';
import { hardwareTestResultRequestSchema } from '@lintel/wire-protocol/technician/hardware-tests';
import { describe, expect, it } from 'vitest';
import { toHardwareTestResultRequest } from './health-check-to-test-result-request.ts';

describe('toHardwareTestResultRequest', () => {
  it('counts a health check as passed only when its state is ok, and as not run without evidence', () => {
    const results = healthStates.map(state =>
      toHardwareTestResultRequest({
        id: 'reader:front',
        title: 'Reader front',
        state,
        found: 'x'.repeat(600),
        advice: null,
      }),
    );
    expect(results.map(result => result?.result)).toEqual(['passed', 'failed', 'failed', undefined]);
    for (const result of results.slice(0, 3))
      expect(hardwareTestResultRequestSchema.safeParse(result).success).toBe(true);
  });
});
