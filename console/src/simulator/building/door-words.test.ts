import { describe, expect, it } from 'vitest';
import { aController, aDoor } from '../a-world.test-data.ts';
import { displayWords, doorLook, doorWords, howToOpen } from './door-words.ts';

describe('how a door is to be seen', () => {
  it('shows an alarm ahead of the leaf, the leaf ahead of the lock', () => {
    expect(doorLook(aDoor({ alarm: 'forced', leaf: 'open', is_unlocked: true }), 'on')).toBe('forced');
    expect(doorLook(aDoor({ alarm: 'held_open', leaf: 'open' }), 'on')).toBe('held_open');
    expect(doorLook(aDoor({ leaf: 'open', is_unlocked: true }), 'on')).toBe('open');
    expect(doorLook(aDoor({ is_unlocked: true }), 'on')).toBe('unlocked');
    expect(doorLook(aDoor(), 'on')).toBe('locked');
  });

  it('is dark without power, and says where the leaf was left', () => {
    expect(doorLook(aDoor({ alarm: 'forced' }), 'off')).toBe('dark');
    expect(doorWords(aDoor({ leaf: 'open' }), 'off')).toBe('stands open, no power');
    expect(doorWords(aDoor(), 'starting')).toBe('locked, starting');
  });

  it('says who stands in it', () => {
    expect(doorWords(aDoor({ leaf: 'open', is_held: true }), 'on')).toBe('open, held');
    expect(doorWords(aDoor({ is_held: true }), 'on')).toBe('locked, somebody waits');
  });

  it('says what to type', () => {
    expect(howToOpen(aDoor())).toBe('Type a PIN, or tap.');
    expect(howToOpen(aDoor({ code: '*1' }))).toBe('Type *1 and a PIN, or *1 and tap.');
  });
});

describe('the display of a keypad', () => {
  const [station] = aController().stations;
  const words = (changes: object, power: 'on' | 'starting' | 'off' = 'on') =>
    displayWords({ ...station!, ...changes }, power, () => 'Room 101');

  it('follows what is being typed', () => {
    expect(words({})).toBe('Welcome');
    expect(words({ entry: { phase: 'code', door: null } })).toBe('Which door?');
    expect(words({ entry: { phase: 'armed', door: 'door-101' } })).toBe('Room 101');
    expect(words({ entry: { phase: 'armed', door: null } })).toBe('PIN or card');
  });

  it('says that it is locked, and nothing without power', () => {
    expect(words({ locked_until: '2026-06-01T10:00:30.000Z' })).toBe('Locked');
    expect(words({}, 'starting')).toBe('Starting');
    expect(words({ entry: { phase: 'armed', door: 'door-101' } }, 'off')).toBe('');
  });
});
