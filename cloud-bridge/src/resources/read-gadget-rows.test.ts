import { describe, expect, it } from 'vitest';
import { parseIdsOfJsonObjects } from './read-gadget-rows.ts';

describe('parseIdsOfJsonObjects', () => {
  it('returns the ids of a stored list in order', () => {
    expect(parseIdsOfJsonObjects('[{"id":"open","name":"Open"},{"id":"close","name":"Close"}]')).toEqual([
      'open',
      'close',
    ]);
    expect(parseIdsOfJsonObjects('[]')).toEqual([]);
  });
});
