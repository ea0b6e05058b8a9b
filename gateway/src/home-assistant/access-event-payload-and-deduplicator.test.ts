import { instant } from '@lintel/access-core/instant';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { describe, expect, it } from 'vitest';
import {
  HomeAssistantEventDeduplicator,
  toHomeAssistantAccessEventPayload,
} from './access-event-payload-and-deduplicator.ts';
import { toHomeAssistantGadgetStatePayload } from './gadget-state-payload.ts';

const now = 1_800_000_000_000;
const event = (given: Partial<DeviceEvent> = {}): DeviceEvent => ({
  id: 'ev_1' as never,
  sequence: 1,
  kind: 'use',
  occurred_at: instant(now),
  time_trusted: true,
  ...given,
});

describe('toHomeAssistantAccessEventPayload', () => {
  it('contains no member and no credential', () => {
    const subject = { member_id: 'mem_1', member_card_id: 'card_1', access_method: 'card' } as never;
    const payload = toHomeAssistantAccessEventPayload(event({ subject, gadget_action_id: 'open' }));
    expect(payload).toEqual({
      event_type: 'granted',
      action: 'open',
      method: 'card',
      reason: null,
      occurred_at: new Date(now).toISOString(),
    });
  });

  it('names a trigger as the method', () => {
    expect(toHomeAssistantAccessEventPayload(event({ gadget_trigger_id: 'gt_1' as never }))?.method).toBe('trigger');
  });

  it('ignores events that are neither a use nor a denial', () => {
    expect(toHomeAssistantAccessEventPayload(event({ kind: 'fault' }))).toBeNull();
  });
});

describe('HomeAssistantEventDeduplicator', () => {
  it('accepts an event once', () => {
    const events = new HomeAssistantEventDeduplicator();
    expect([events.accept(event(), now), events.accept(event(), now)]).toEqual([true, false]);
  });

  it('rejects an event that is older than a minute, unless its time is not trusted', () => {
    const events = new HomeAssistantEventDeduplicator();
    expect(events.accept(event(), now + 60_001)).toBe(false);
    expect(events.accept(event({ time_trusted: false }), now + 60_001)).toBe(true);
  });
});

describe('toHomeAssistantGadgetStatePayload', () => {
  it.each([
    ['locked', 'OFF', 'OFF'],
    ['unlocked', 'ON', 'OFF'],
    ['open', 'ON', 'ON'],
    ['held_open', 'ON', 'ON'],
    ['forced', 'ON', 'ON'],
    ['closed', null, 'OFF'],
    ['raising', null, null],
    [null, null, null],
  ])('reads the state %s as lock %s and door %s', (state, lock, door) => {
    expect(toHomeAssistantGadgetStatePayload(state)).toEqual({ state, lock, door });
  });
});
