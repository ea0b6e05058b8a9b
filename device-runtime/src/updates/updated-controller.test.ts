import { describe, expect, it } from 'vitest';
import { ownFaults } from './updated-controller.ts';

describe('update health of a controller', () => {
  it('ignores faults that a new version cannot cause', () => {
    const faults = ['tamper', 'slice_old', 'reader:front', 'update: late'].map(code => ({ code }));
    expect(ownFaults(faults)).toEqual(['reader:front']);
  });
});
