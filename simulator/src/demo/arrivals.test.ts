import { describe, expect, it } from 'vitest';
import type { BridgeClient } from '../bridge/bridge-client.ts';
import { fillPhones, moveStays } from './arrivals.ts';
import { datesOf, startOfDay, stays } from './guests.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const DAY_MS = 86_400_000;
const ids = Object.fromEntries([...stays.map(({ key }) => key), 'frank'].map(key => [key, `mem_${key}`]));
const nothing = { webhook: null, phones: {}, day: null };

/** A bridge that records its requests. */
const notingBridge = () => {
  const asked: { readonly what: string; readonly body: unknown }[] = [];
  const bridge = {
    api: async (method: string, path: string, body: unknown) => {
      asked.push({ what: `${method} ${path}`, body });
      return { token: `token of ${path}` };
    },
  } as unknown as BridgeClient;
  return { bridge, asked };
};

describe('demo reservations', () => {
  it('are moved to a new day, and departed guests return', async () => {
    const { bridge, asked } = notingBridge();
    const yesterday = startOfDay(NOW) - DAY_MS;
    expect(await moveStays(bridge, ids, { ...nothing, day: yesterday }, NOW)).toBe(startOfDay(NOW));
    expect(asked.map(({ what }) => what)).toEqual(stays.map(({ key }) => `PATCH /members/mem_${key}`));
    expect(asked[0]?.body).toEqual({ ...datesOf(stays[0]!, NOW), is_deleted: false });
  });

  it.each([
    ['on the first start', null],
    ['on the same day', startOfDay(NOW)],
  ])('stay unchanged %s', async (_, day) => {
    const { bridge, asked } = notingBridge();
    await moveStays(bridge, ids, { ...nothing, day }, NOW);
    expect(asked).toEqual([]);
  });

  it('give a phone its token once', async () => {
    const { bridge, asked } = notingBridge();
    const phones = await fillPhones(bridge, ids, { ...nothing, phones: { bao: 'kept' } });
    expect(asked.map(({ what }) => what)).toEqual(['POST /members/mem_frank/tokens']);
    expect(phones).toEqual({ bao: 'kept', frank: 'token of /members/mem_frank/tokens' });
  });
});
