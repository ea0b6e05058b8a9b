import { describe, expect, it } from 'vitest';
import { createTestController, createTestDoor } from '../simulator-state.test-support.ts';
import {
  describeSimulatedDoorState,
  selectDoorAppearance,
  formatKeypadDisplay,
  describeHowToOpenDoor,
} from './describe-simulated-door-and-keypad.ts';

describe('describeSimulatedDoorState', () => {
  it('shows an alarm before the door position, and the position before the lock', () => {
    expect(selectDoorAppearance(createTestDoor({ alarm: 'forced', leaf: 'open', is_unlocked: true }), 'on')).toBe(
      'forced',
    );
    expect(selectDoorAppearance(createTestDoor({ alarm: 'held_open', leaf: 'open' }), 'on')).toBe('held_open');
    expect(selectDoorAppearance(createTestDoor({ leaf: 'open', is_unlocked: true }), 'on')).toBe('open');
    expect(selectDoorAppearance(createTestDoor({ is_unlocked: true }), 'on')).toBe('unlocked');
    expect(selectDoorAppearance(createTestDoor(), 'on')).toBe('locked');
  });

  it('shows the last door position without power', () => {
    expect(selectDoorAppearance(createTestDoor({ alarm: 'forced' }), 'off')).toBe('no_power');
    expect(describeSimulatedDoorState(createTestDoor({ leaf: 'open' }), 'off')).toBe('open, no power');
    expect(describeSimulatedDoorState(createTestDoor(), 'starting')).toBe('locked, starting');
  });

  it('shows a person in the doorway', () => {
    expect(describeSimulatedDoorState(createTestDoor({ leaf: 'open', is_held: true }), 'on')).toBe('open, held');
    expect(describeSimulatedDoorState(createTestDoor({ is_held: true }), 'on')).toBe('locked, person waiting');
  });
});

describe('describeHowToOpenDoor', () => {
  it('shows the keys to type', () => {
    expect(describeHowToOpenDoor(createTestDoor())).toBe('Type a PIN, or tap a card or phone.');
    expect(describeHowToOpenDoor(createTestDoor({ code: '*1' }))).toBe(
      'Type *1, then type a PIN or tap a card or phone.',
    );
  });
});

describe('formatKeypadDisplay', () => {
  const [station] = createTestController().stations;
  const display = (changes: object, power: 'on' | 'starting' | 'off' = 'on') =>
    formatKeypadDisplay({ ...station!, ...changes }, power, () => 'Room 101');

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
