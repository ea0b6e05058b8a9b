import { describe, expect, it } from 'vitest';
import { aController, aDoor } from '../simulator-state.test-support.ts';
import { displayWords, doorLook, doorWords, howToOpen } from './door-words.ts';

describe('doorWords', () => {
  it('shows an alarm before the door position, and the position before the lock', () => {
    expect(doorLook(aDoor({ alarm: 'forced', leaf: 'open', is_unlocked: true }), 'on')).toBe('forced');
    expect(doorLook(aDoor({ alarm: 'held_open', leaf: 'open' }), 'on')).toBe('held_open');
    expect(doorLook(aDoor({ leaf: 'open', is_unlocked: true }), 'on')).toBe('open');
    expect(doorLook(aDoor({ is_unlocked: true }), 'on')).toBe('unlocked');
    expect(doorLook(aDoor(), 'on')).toBe('locked');
  });

  it('shows the last door position without power', () => {
    expect(doorLook(aDoor({ alarm: 'forced' }), 'off')).toBe('dark');
    expect(doorWords(aDoor({ leaf: 'open' }), 'off')).toBe('stands open, no power');
    expect(doorWords(aDoor(), 'starting')).toBe('locked, starting');
  });

  it('shows a person in the doorway', () => {
    expect(doorWords(aDoor({ leaf: 'open', is_held: true }), 'on')).toBe('open, held');
    expect(doorWords(aDoor({ is_held: true }), 'on')).toBe('locked, somebody waits');
  });

  it('shows the keys to type', () => {
    expect(howToOpen(aDoor())).toBe('Type a PIN, or tap.');
    expect(howToOpen(aDoor({ code: '*1' }))).toBe('Type *1 and a PIN, or *1 and tap.');
  });
});

describe('displayWords', () => {
  const [station] = aController().stations;
  const words = (changes: object, power: 'on' | 'starting' | 'off' = 'on') =>
    displayWords({ ...station!, ...changes }, power, () => 'Room 101');

  it('follows the typed keys', () => {
    expect(words({})).toBe('Welcome');
    expect(words({ entry: { phase: 'code', door: null } })).toBe('Which door?');
    expect(words({ entry: { phase: 'armed', door: 'door-101' } })).toBe('Room 101');
    expect(words({ entry: { phase: 'armed', door: null } })).toBe('PIN or card');
  });

  it('shows a lockout, and nothing without power', () => {
    expect(words({ locked_until: '2026-06-01T10:00:30.000Z' })).toBe('Locked');
    expect(words({}, 'starting')).toBe('Starting');
    expect(words({ entry: { phase: 'armed', door: 'door-101' } }, 'off')).toBe('');
  });
});
