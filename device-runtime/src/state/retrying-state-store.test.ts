import { describe, expect, it } from 'vitest';
import { MemoryState } from '@lintel/test/support/memory-state-store';
import type { ControllerFaultRegistry } from '../faults/controller-fault-registry.ts';
import { RetryingStateStore } from './retrying-state-store.ts';

const disk = () => {
  const store = new MemoryState();
  const faults = new Set<string>();
  const book = { raise: (code: string) => void faults.add(code), clear: (code: string) => void faults.delete(code) };
  return { store, faults, state: new RetryingStateStore(store, book as unknown as ControllerFaultRegistry) };
};

describe('RetryingStateStore', () => {
  it('reports a failed write, keeps the value, and writes it when the disk has room again', () => {
    const { store, faults, state } = disk();
    state.write('revocations', ['old']);
    store.isFailing = true;
    state.write('revocations', ['new']);
    expect([[...faults], state.read('revocations'), store.read('revocations')]).toEqual([
      ['state:revocations'],
      ['new'],
      ['old'],
    ]);
    state.retry();
    expect([...faults]).toEqual(['state:revocations']);
    store.isFailing = false;
    state.retry();
    expect([[...faults], store.read('revocations')]).toEqual([[], ['new']]);
  });

  it('does not repeat a write that a newer one has replaced', () => {
    const { store, state } = disk();
    store.isFailing = true;
    state.write('door_modes', 1);
    store.isFailing = false;
    state.write('door_modes', 2);
    store.write('door_modes', 3);
    state.retry();
    expect(store.read('door_modes')).toBe(3);
  });
});
