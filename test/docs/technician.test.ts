import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { technicianErrorTypes } from '@lintel/wire-protocol/technician/errors';
import { expect, it } from 'vitest';

const text = readFileSync(join(import.meta.dirname, '../../docs/technician-api.md'), 'utf8');

it('the docs explain every error of the technician API under its status, and no other', () => {
  const rows = [...text.matchAll(/^\| *(\d{3}) *\| *`(\w+)` *\|/gm)];
  expect(Object.fromEntries(rows.map(([, status, type]) => [type, Number(status)]))).toEqual(technicianErrorTypes);
});
