import { describe, expect, it } from 'vitest';
import { toHomeAssistantGadgetStatePayload } from './gadget-state-payload.ts';

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
