import { afterEach, beforeEach, expect, it, vi } from 'vitest';
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

it('who is let in goes through and closes the door', () => {
  leaf.strike(true);
  vi.advanceTimersByTime(400);
  expect(leaf.isOpen).toBe(true);
  vi.advanceTimersByTime(3_000);
  expect([leaf.isOpen, contacts]).toEqual([false, [true, false]]);
});

it('a strike that lets go too shortly lets nobody in', () => {
  leaf.strike(true);
  vi.advanceTimersByTime(100);
  leaf.strike(false);
  vi.advanceTimersByTime(10_000);
  expect(contacts).toEqual([]);
});

it('a locked door does not give way to a push, but to force', () => {
  expect(leaf.hand('push')).toBe('the door is locked');
  expect(leaf.hand('force')).toBeNull();
  vi.advanceTimersByTime(60_000);
  expect(leaf.isOpen).toBe(true);
  leaf.hand('close');
  expect(leaf.isOpen).toBe(false);
});

it('who holds the door keeps it open until it is closed', () => {
  leaf.hand('hold');
  expect(leaf.isOpen).toBe(false);
  leaf.strike(true);
  vi.advanceTimersByTime(60_000);
  leaf.strike(false);
  expect([leaf.isOpen, leaf.isHeld]).toEqual([true, true]);
  leaf.hand('close');
  expect([leaf.isOpen, leaf.isHeld]).toEqual([false, false]);
});

it('somebody in the doorway can take hold of it', () => {
  leaf.strike(true);
  vi.advanceTimersByTime(1_000);
  leaf.hand('hold');
  leaf.strike(false);
  vi.advanceTimersByTime(60_000);
  expect(leaf.isOpen).toBe(true);
});
