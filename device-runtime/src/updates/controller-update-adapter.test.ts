import { describe, expect, it } from 'vitest';
import { createControllerUpdateAdapter } from './controller-update-adapter.ts';

describe('update health of a controller', () => {
  it('ignores faults that a new version cannot cause', () => {
    const faults = ['tamper', 'slice_old', 'reader:front', 'update: late'].map(code => ({ code }));
    const controller = { technician: { clock: null }, isHealthy: () => true, faults: () => faults };
    const adapter = createControllerUpdateAdapter({ controller, upstream: () => null } as never, () => []);
    expect(adapter.health().faults).toEqual(['reader:front']);
  });
});
