import { describe, expect, it } from 'vitest';
import { listProgramFaults } from './controller-update-adapter.ts';

describe('update health of a controller', () => {
  it('ignores faults that a new version cannot cause', () => {
    const faults = ['tamper', 'slice_old', 'reader:front', 'update: late'].map(code => ({ code }));
    expect(listProgramFaults(faults)).toEqual(['reader:front']);
  });
});
