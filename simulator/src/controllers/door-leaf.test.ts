import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DoorLeaf } from './door-leaf.ts';

let contacts: boolean[];
let leaf: DoorLeaf;

beforeEach(() => {
  vi.useFakeTimers();
  contacts = [];
  leaf = new DoorLeaf({ contact: isOpen => void contacts.push(isOpen), changed: () => undefined });
});

afterEach(() => {
  leaf.stop();
  vi.useRealTimers();
});

describe('simulated door leaf', () => {
  it('opens and closes when a person enters', () => {
    leaf.strike(true);
    vi.advanceTimersByTime(400);
    expect(leaf.isOpen).toBe(true);
    vi.advanceTimersByTime(3_000);
    expect([leaf.isOpen, contacts]).toEqual([false, [true, false]]);
  });

  it('stays closed when the strike relocks too soon', () => {
    leaf.strike(true);
    vi.advanceTimersByTime(100);
    leaf.strike(false);
    vi.advanceTimersByTime(10_000);
    expect(contacts).toEqual([]);
  });

  it('stays closed when pushed while locked, but yields to force', () => {
    expect(leaf.hand('push')).toBe('the door is locked');
    expect(leaf.hand('force')).toBeNull();
    vi.advanceTimersByTime(60_000);
    expect(leaf.isOpen).toBe(true);
    leaf.hand('close');
    expect(leaf.isOpen).toBe(false);
  });

  it('stays open while it is held', () => {
    leaf.hand('hold');
    expect(leaf.isOpen).toBe(false);
    leaf.strike(true);
    vi.advanceTimersByTime(60_000);
    leaf.strike(false);
    expect([leaf.isOpen, leaf.isHeld]).toEqual([true, true]);
    leaf.hand('close');
    expect([leaf.isOpen, leaf.isHeld]).toEqual([false, false]);
  });

  it('can be held by a person who is passing through', () => {
    leaf.strike(true);
    vi.advanceTimersByTime(1_000);
    leaf.hand('hold');
    leaf.strike(false);
    vi.advanceTimersByTime(60_000);
    expect(leaf.isOpen).toBe(true);
  });
});
