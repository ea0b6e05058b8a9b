import { DAY_MS } from '@lintel/access-core/durations';
import { describe, expect, it } from 'vitest';
import type { DemoBridgeClient } from '../bridge/demo-bridge-client.ts';
import { issueMissingPhoneTokens, moveStaysToToday } from './refresh-demo-data.ts';
import { computeStayDates, computeStartOfUtcDay, demoStays } from './demo-people.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const ids = Object.fromEntries([...demoStays.map(({ key }) => key), 'frank'].map(key => [key, `mem_${key}`]));
const emptyState = { webhook: null, phones: {}, day: null };

/** A bridge that records its requests. */
const recordingBridge = () => {
  const requests: { readonly request: string; readonly body: unknown }[] = [];
  const bridge = {
    api: async (method: string, path: string, body: unknown) => {
      requests.push({ request: `${method} ${path}`, body });
      return { token: `token of ${path}` };
    },
  } as unknown as DemoBridgeClient;
  return { bridge, requests };
};

describe('demo reservations', () => {
  it('are moved to a new day, and departed guests return', async () => {
    const { bridge, requests } = recordingBridge();
    const yesterday = computeStartOfUtcDay(NOW) - DAY_MS;
    expect(await moveStaysToToday(bridge, ids, { ...emptyState, day: yesterday }, NOW)).toBe(computeStartOfUtcDay(NOW));
    expect(requests.map(({ request }) => request)).toEqual(demoStays.map(({ key }) => `PATCH /members/mem_${key}`));
    expect(requests[0]?.body).toEqual({ ...computeStayDates(demoStays[0]!, NOW), is_deleted: false });
  });

  it.each([
    ['on the first start', null],
    ['on the same day', computeStartOfUtcDay(NOW)],
  ])('stay unchanged %s', async (_, day) => {
    const { bridge, requests } = recordingBridge();
    await moveStaysToToday(bridge, ids, { ...emptyState, day }, NOW);
    expect(requests).toEqual([]);
  });

  it('give a phone its token once', async () => {
    const { bridge, requests } = recordingBridge();
    const phones = await issueMissingPhoneTokens(bridge, ids, { ...emptyState, phones: { bao: 'kept' } });
    expect(requests.map(({ request }) => request)).toEqual(['POST /members/mem_frank/tokens']);
    expect(phones).toEqual({ bao: 'kept', frank: 'token of /members/mem_frank/tokens' });
  });
});
