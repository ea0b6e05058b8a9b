import { describe, expect, it } from 'vitest';
import { findFirstCreatedGadget } from './first-created-gadget.ts';

const made = <T>(id: string, created_at: T) => ({ id, created_at });

describe('findFirstCreatedGadget', () => {
  it('is the gadget that was created first, whatever its position in the list', () => {
    expect(findFirstCreatedGadget([made('gad_a', 20), made('gad_b', 9), made('gad_c', 30)])?.id).toBe('gad_b');
    const spring = made('gad_b', '2026-03-01T00:00:00.000Z');
    expect(findFirstCreatedGadget(new Set([made('gad_a', '2026-10-01T00:00:00.000Z'), spring]))).toBe(spring);
  });

  it('is the gadget with the lower id when two were created at the same time', () => {
    expect(findFirstCreatedGadget([made('gad_b', 9), made('gad_a', 9), made('gad_c', 9)])?.id).toBe('gad_a');
  });

  it('is null for an empty list', () => {
    expect(findFirstCreatedGadget([])).toBeNull();
  });
});
