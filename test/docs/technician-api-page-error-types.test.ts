import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { technicianErrorTypes } from '@lintel/wire-protocol/technician/error-types';
import { describe, expect, it } from 'vitest';

const text = readFileSync(join(import.meta.dirname, '../../docs/reference/technician-api.md'), 'utf8');

describe('docs/reference/technician-api.md', () => {
  it('lists exactly the error types of the technician API, each with its status', () => {
    const rows = [...text.matchAll(/^\| *(\d{3}) *\| *`(\w+)` *\|/gm)];
    expect(Object.fromEntries(rows.map(([, status, type]) => [type, Number(status)]))).toEqual(technicianErrorTypes);
  });
});
