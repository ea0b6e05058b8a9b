import { describe, expect, it } from 'vitest';
import { aController, aDoor } from '../simulator-state.test-support.ts';
import { describeDoor, doorAppearance, keypadDisplay, openingHint } from './describe-door.ts';

describe('describeDoor', () => {
  it('shows an alarm before the door position, and the position before the lock', () => {
    expect(doorAppearance(aDoor({ alarm: 'forced', leaf: 'open', is_unlocked: true }), 'on')).toBe('forced');
    expect(doorAppearance(aDoor({ alarm: 'held_open', leaf: 'open' }), 'on')).toBe('held_open');
    expect(doorAppearance(aDoor({ leaf: 'open', is_unlocked: true }), 'on')).toBe('open');
    expect(doorAppearance(aDoor({ is_unlocked: true }), 'on')).toBe('unlocked');
    expect(doorAppearance(aDoor(), 'on')).toBe('locked');
  });

  it('shows the last door position without power', () => {
    expect(doorAppearance(aDoor({ alarm: 'forced' }), 'off')).toBe('no_power');
    expect(describeDoor(aDoor({ leaf: 'open' }), 'off')).toBe('open, no power');
    expect(describeDoor(aDoor(), 'starting')).toBe('locked, starting');
  });

  it('shows a person in the doorway', () => {
    expect(describeDoor(aDoor({ leaf: 'open', is_held: true }), 'on')).toBe('open, held');
    expect(describeDoor(aDoor({ is_held: true }), 'on')).toBe('locked, person waiting');
  });
});

describe('openingHint', () => {
  it('shows the keys to type', () => {
    expect(openingHint(aDoor())).toBe('Type a PIN, or tap a card or phone.');
    expect(openingHint(aDoor({ code: '*1' }))).toBe('Type *1, then type a PIN or tap a card or phone.');
  });
});

describe('keypadDisplay', () => {
  const [station] = aController().stations;
  const display = (changes: object, power: 'on' | 'starting' | 'off' = 'on') =>
    keypadDisplay({ ...station!, ...changes }, power, () => 'Room 101');

  it('follows the typed keys', () => {
    expect(display({})).toBe('Welcome');
    expect(display({ entry: { phase: 'code', door: null } })).toBe('Which door?');
    expect(display({ entry: { phase: 'armed', door: 'door-101' } })).toBe('Room 101');
    expect(display({ entry: { phase: 'armed', door: null } })).toBe('PIN or card');
  });

  it('shows a lockout, and nothing without power', () => {
    expect(display({ locked_until: '2026-06-01T10:00:30.000Z' })).toBe('Locked out');
    expect(display({}, 'starting')).toBe('Starting');
    expect(display({ entry: { phase: 'armed', door: 'door-101' } }, 'off')).toBe('');
  });
});
