import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DoorLeaf } from './door-leaf.ts';

let contacts: boolean[];
let leaf: DoorLeaf;

beforeEach(() => {
  vi.useFakeTimers();
  contacts = [];
  leaf = new DoorLeaf({ onContact: isOpen => void contacts.push(isOpen), onChange: () => undefined });
});

afterEach(() => {
  leaf.stop();
  vi.useRealTimers();
});

describe('DoorLeaf', () => {
  it('opens and closes when a person enters', () => {
    leaf.setUnlocked(true);
    vi.advanceTimersByTime(400);
    expect(leaf.isOpen).toBe(true);
    vi.advanceTimersByTime(3_000);
    expect([leaf.isOpen, contacts]).toEqual([false, [true, false]]);
  });

  it('stays closed when the strike relocks too soon', () => {
    leaf.setUnlocked(true);
    vi.advanceTimersByTime(100);
    leaf.setUnlocked(false);
    vi.advanceTimersByTime(10_000);
    expect(contacts).toEqual([]);
  });

  it('stays closed when pushed while locked, but yields to force', () => {
    expect(leaf.move('push')).toBe('The door is locked');
    expect(leaf.move('force')).toBeNull();
    vi.advanceTimersByTime(60_000);
    expect(leaf.isOpen).toBe(true);
    leaf.move('close');
    expect(leaf.isOpen).toBe(false);
  });

  it('stays open while it is held', () => {
    leaf.move('hold');
    expect(leaf.isOpen).toBe(false);
    leaf.setUnlocked(true);
    vi.advanceTimersByTime(60_000);
    leaf.setUnlocked(false);
    expect([leaf.isOpen, leaf.isHeld]).toEqual([true, true]);
    leaf.move('close');
    expect([leaf.isOpen, leaf.isHeld]).toEqual([false, false]);
  });

  it('can be held by a person who is passing through', () => {
    leaf.setUnlocked(true);
    vi.advanceTimersByTime(1_000);
    leaf.move('hold');
    leaf.setUnlocked(false);
    vi.advanceTimersByTime(60_000);
    expect(leaf.isOpen).toBe(true);
  });
});
