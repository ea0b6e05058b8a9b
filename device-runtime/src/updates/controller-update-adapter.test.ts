import { describe, expect, it } from 'vitest';
import { programFaults } from './controller-update-adapter.ts';

describe('update health of a controller', () => {
  it('ignores faults that a new version cannot cause', () => {
    const faults = ['tamper', 'slice_old', 'reader:front', 'update: late'].map(code => ({ code }));
    expect(programFaults(faults)).toEqual(['reader:front']);
  });
});
