import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import { QueryClient } from '@tanstack/query-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { QueryCacheUpdater } from './query-cache-updater.ts';

const eventAbout = (object: Record<string, string>): EventResponse => ({ object }) as unknown as EventResponse;

describe('QueryCacheUpdater', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('puts a new state into cached gadgets', () => {
    const client = new QueryClient();
    const others = { id: 'gadget_2', state_id: null };
    client.setQueryData(['org', 'gadget', '/gadgets'], [{ id: 'gadget_1', state_id: 'locked' }, others]);
    client.setQueryData(['org', 'gadget', '/gadgets/gadget_1'], { id: 'gadget_1', state_id: 'locked' });
    const event = { type: 'gadget_state', gadget_id: 'gadget_1', gadget_state_id: 'unlocked' };
    new QueryCacheUpdater(client, 'org').apply(eventAbout(event));
    const changed = { id: 'gadget_1', state_id: 'unlocked' };
    expect(client.getQueryData(['org', 'gadget', '/gadgets'])).toEqual([changed, others]);
    expect(client.getQueryData(['org', 'gadget', '/gadgets/gadget_1'])).toEqual(changed);
  });

  it.each([
    ['member_pin', ['member_pin', 'member', 'audit']],
    ['member_card', ['member_card', 'member', 'card', 'audit']],
    ['gadget_trigger', ['gadget_trigger', 'audit']],
    ['gadget_action', ['gadget_state']],
    ['device', ['device', 'gadget', 'gadget_state', 'attention', 'audit']],
  ])('reloads what a change of a %s makes stale', (type, kinds) => {
    const client = new QueryClient();
    const invalidate = vi.spyOn(client, 'invalidateQueries');
    new QueryCacheUpdater(client, 'org').apply(eventAbout({ type }));
    vi.runAllTimers();
    expect(invalidate.mock.calls.map(([filters]) => filters?.queryKey?.[1])).toEqual(['event', ...kinds]);
  });

  it('reloads once for many events of a kind', () => {
    const client = new QueryClient();
    const updates = new QueryCacheUpdater(client, 'org');
    const invalidate = vi.spyOn(client, 'invalidateQueries');
    for (let count = 0; count < 50; count += 1) updates.apply(eventAbout({ type: 'site' }));
    vi.runAllTimers();
    const reloaded = invalidate.mock.calls.filter(([filters]) => filters?.queryKey?.[1] === 'site');
    expect(reloaded).toHaveLength(1);
  });
});
