import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { requireFreeSpaceOnCard } from './boot-folder.ts';

it('reports how much space is missing on the card', () => {
  expect(() => requireFreeSpaceOnCard(tmpdir(), 2 ** 60)).toThrow(/MB free, but \d+ MB are required/);
});
