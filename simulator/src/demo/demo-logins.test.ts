import { describe, expect, it } from 'vitest';
import { createDemoLogins } from './demo-logins.ts';

describe('createDemoLogins', () => {
  it('generates a readable password and a secret that differ between installations', () => {
    const all = Array.from({ length: 100 }, createDemoLogins);
    for (const { admin, application } of all) {
      expect(admin.password).toMatch(/^(?:[a-z]{6}-){3}[1-9][0-9]$/);
      expect(application.client_secret.length).toBeGreaterThanOrEqual(32);
    }
    expect(new Set(all.map(({ admin }) => admin.password)).size).toBe(100);
    expect(new Set(all.map(({ application }) => application.client_secret)).size).toBe(100);
  });
});
