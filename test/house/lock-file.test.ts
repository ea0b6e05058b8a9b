import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { missingOptional } from '../checks/complete-lock.ts';

const text = readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8');
const { packages } = JSON.parse(text) as { packages: Parameters<typeof missingOptional>[0] };

it('the lock file has every optional package, or `npm ci` refuses it (npm run lock)', () => {
  expect(Object.keys(missingOptional(packages))).toEqual([]);
});

it('the lock file names no registry', () => {
  expect(text).not.toMatch(/"resolved": "https?:/);
});
