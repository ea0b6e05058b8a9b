import { instant } from '@lintel/access-core/instant';
import { describe, expect, it } from 'vitest';
import { MemoryState } from '@lintel/test/support/memory-state-store';
import { readSavedEventNumbering, EventSequenceAllocator } from './event-sequence-allocator.ts';

const START = 1_700_000_000_000;
const after = (ms: number) => instant(START + ms);

describe('EventSequenceAllocator', () => {
  it('saves exactly what was used on a clean stop', () => {
    const state = new MemoryState();
    const numbers = new EventSequenceAllocator(state, 0, 'epoch');
    for (let count = 0; count < 137; count++) numbers.next();
    numbers.saveExact(120);
    expect(readSavedEventNumbering(state)).toMatchObject({ ceiling: 137, confirmed: 120, isExact: true });
  });

  it('never saves less than was used, and not much more', () => {
    const state = new MemoryState();
    const numbers = new EventSequenceAllocator(state, 0, 'epoch');
    for (let count = 0; count < 2_000; count++) {
      const last = numbers.next();
      if (count % 70 === 0) numbers.reserve(0, after(count));
      const { ceiling, isExact } = readSavedEventNumbering(state);
      expect(ceiling).toBeGreaterThanOrEqual(last);
      expect(ceiling - last).toBeLessThanOrEqual(64);
      expect(isExact).toBe(false);
    }
  });

  it('does not claim to be exact once numbers are used again', () => {
    const state = new MemoryState();
    new EventSequenceAllocator(state, 5, 'epoch').saveExact(5);
    const again = new EventSequenceAllocator(state, 5, 'epoch');
    expect(again.next()).toBe(6);
    expect(readSavedEventNumbering(state)).toMatchObject({ confirmed: 5, isExact: false });
  });

  it('continues above all reserved and used numbers after a crash', () => {
    const state = new MemoryState();
    const numbers = new EventSequenceAllocator(state, 0, 'first');
    for (let count = 0; count < 10; count++) numbers.next();
    const { ceiling } = readSavedEventNumbering(state);
    expect(new EventSequenceAllocator(state, 7, 'second').next()).toBe(ceiling + 1);
    const lastNumber = { read: () => ({ sequence: 500, epoch: 'third' }), write: () => undefined };
    expect(new EventSequenceAllocator(state, 7, 'third', lastNumber).next()).toBe(501);
  });

  it('saves acknowledgements within two minutes, without a write for each', () => {
    const state = new MemoryState();
    const numbers = new EventSequenceAllocator(state, 0, 'epoch');
    numbers.next();
    let writes = 0;
    const write = state.write.bind(state);
    state.write = (...args) => {
      writes += 1;
      write(...args);
    };
    for (let second = 0; second < 130; second++) numbers.reserve(second, after(second * 1_000));
    expect(writes).toBe(2);
    expect(readSavedEventNumbering(state).confirmed).toBe(120);
  });

  it('does not write while allocating when it was asked to reserve ahead', () => {
    const state = new MemoryState();
    const numbers = new EventSequenceAllocator(state, 0, 'epoch');
    numbers.reserveIfLow();
    expect(state.read('sequence_ceiling')).toBeUndefined();
    numbers.next();
    const ceiling = (): number => readSavedEventNumbering(state).ceiling;
    for (let count = 0; count < 1_000; count++) {
      numbers.reserveIfLow();
      const before = ceiling();
      numbers.next();
      expect(ceiling()).toBe(before);
    }
  });
});
