import { describe, expect, it } from 'vitest';
import { findNearestName } from './nearest-name.ts';

describe('findNearestName', () => {
  it.each([
    ['lst', 'list'],
    ['http-prot', 'http-port'],
    ['lists', 'list'],
    ['paint', undefined],
    ['', undefined],
  ])('finds for %j the name %j', (word, expected) => {
    expect(findNearestName(['list', 'http-port', 'https-port', 'delete'], word)).toBe(expected);
  });
});
