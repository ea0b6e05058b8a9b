import { expect, it } from 'vitest';
import { ConnectionBudget } from './connection-limit.ts';

it('lets a burst of connections through, then so many a second', () => {
  let now = 0;
  const budget = new ConnectionBudget(() => now);
  const taken = () => Array.from({ length: 200 }, () => budget.take()).filter(Boolean).length;
  expect(taken()).toBe(80);
  now += 1_000;
  expect(taken()).toBe(20);
  now -= 500;
  expect(taken()).toBe(0);
  now += 3_600_000;
  expect(taken()).toBe(80);
});
