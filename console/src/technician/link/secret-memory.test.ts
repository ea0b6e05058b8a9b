import { expect, it } from 'vitest';
import { SecretMemory } from './secret-memory.ts';

const HALF_HOUR = 30 * 60_000;

it('brings back what opened a controller that has restarted', () => {
  const memory = new SecretMemory();
  expect(memory.recall(['code', 'pass'], 0)).toBeNull();
  memory.keep({ pass: 'p' }, HALF_HOUR, 0);
  expect(memory.recall(['pass'], 1_000)).toEqual({ pass: 'p' });
});

it('does not stand in for somebody who has left', () => {
  const memory = new SecretMemory();
  memory.keep({ pass: 'p' }, HALF_HOUR, 0);
  memory.used(HALF_HOUR - 1);
  expect(memory.recall(['pass'], HALF_HOUR + 1)).toEqual({ pass: 'p' });
  expect(memory.recall(['pass'], 2 * HALF_HOUR - 1)).toBeNull();
  expect(memory.recall(['pass'], HALF_HOUR + 1)).toBeNull();
});

it('does not try a code where only a pass counts: wrong ones are counted', () => {
  const memory = new SecretMemory();
  memory.keep({ code: 'c' }, HALF_HOUR, 0);
  expect(memory.recall(['pass'], 1)).toBeNull();
  expect(memory.recall(['code', 'pass'], 1)).toEqual({ code: 'c' });
});
