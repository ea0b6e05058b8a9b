import { expect, it } from 'vitest';
import { firstGadget } from './first-gadget.ts';

const made = <T>(id: string, created_at: T) => ({ id, created_at });

it('the first gadget is the one that was made first, wherever it stands', () => {
  expect(firstGadget([made('gad_a', 20), made('gad_b', 9), made('gad_c', 30)])?.id).toBe('gad_b');
  const spring = made('gad_b', '2026-03-01T00:00:00.000Z');
  expect(firstGadget(new Set([made('gad_a', '2026-10-01T00:00:00.000Z'), spring]))).toBe(spring);
});

it('of gadgets made at the same moment the one with the lower id is first', () => {
  expect(firstGadget([made('gad_b', 9), made('gad_a', 9), made('gad_c', 9)])?.id).toBe('gad_a');
});

it('there is no first gadget of none', () => {
  expect(firstGadget([])).toBeNull();
});
