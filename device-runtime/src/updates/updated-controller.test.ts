import { expect, it } from 'vitest';
import { ownFaults } from './updated-controller.ts';

it('does not hold against a new version what the world around the door has done', () => {
  const faults = ['tamper', 'slice_old', 'reader:front', 'update: late'].map(code => ({ code }));
  expect(ownFaults(faults)).toEqual(['reader:front']);
});
