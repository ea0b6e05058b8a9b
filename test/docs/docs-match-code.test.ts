import { existsSync, readFileSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { denialReasons } from '@lintel/access-core/access-data-types';
import { adminPermissions } from '@lintel/wire-protocol/permissions/admin-permissions';
import { roles } from '@lintel/wire-protocol/admin/role';
import { apiErrorTypes } from '@lintel/wire-protocol/rest/api-error-types';
import { describe, expect, it } from 'vitest';
import { roleAllows } from '@lintel/cloud-bridge/testing';
import { apiNames } from './generate-api-names-page.ts';
import { clientTypes } from './generate-client-api-types.ts';
import { differences, GENERATED_PART, missingNames } from './generate-specification-differences.ts';
import { technicianErrorTypes } from '@lintel/wire-protocol/technician/error-types';
import { root } from '../architecture/read-sources-and-resolve-imports.ts';
import { readPage } from './markdown.test-support.ts';

const read = (name: string): string => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');

/** The formatter lines up the columns of tables. */
const unpadded = (markdown: string): string =>
  markdown
    .replaceAll(/ *\| */g, '|')
    .replaceAll(/-{3,}/g, '---')
    .trim();

describe('docs/integrator/api-names.md', () => {
  it('is up to date (npm run docs writes it)', () => {
    expect(unpadded(read('integrator/api-names.md'))).toBe(unpadded(apiNames()));
  });
});

describe('docs/reference/admin-api.md', () => {
  it('lists exactly the permissions of each role', () => {
    const areas = Map.groupBy(adminPermissions, permission => permission.split('.')[0]!);
    const rows = [...areas].map(([area, permissions]) => {
      const cells = roles.map(role =>
        permissions
          .filter(permission => roleAllows(role, permission))
          .map(permission => permission.split('.')[1])
          .join(', '),
      );
      return `|\`${area}\`|${cells.join('|')}|`;
    });
    const table = [`|permissions|${roles.join('|')}|`, `|${'---|'.repeat(roles.length + 1)}`, ...rows].join('\n');
    expect(unpadded(read('reference/admin-api.md'))).toContain(table);
  });
});

describe('packages/client/src/api-types.ts', () => {
  it('is up to date (npm run docs writes it)', () => {
    expect(read('../packages/client/src/api-types.ts')).toBe(clientTypes());
  });
});

describe('docs/integrator/differences.md', () => {
  it('is up to date (npm run docs writes its second part)', () => {
    const [, generated = ''] = read('integrator/differences.md').split(GENERATED_PART);
    expect(unpadded(generated)).toBe(unpadded(differences()));
  });

  it('names everything, because the bridge serves all names of the specification', () => {
    expect(missingNames()).toEqual([]);
  });
});

describe('docs/integrator/errors.md', () => {
  it('lists exactly the error types, each with its status', () => {
    const rows = [...unpadded(read('integrator/errors.md')).matchAll(/^\|(\d{3})\|`(\w+)`\|/gm)];
    expect(Object.fromEntries(rows.map(([, status, type]) => [type, Number(status)]))).toEqual(apiErrorTypes);
    expect(rows).toHaveLength(Object.keys(apiErrorTypes).length);
  });

  it('lists exactly the denial reasons', () => {
    const reasons = unpadded(read('integrator/errors.md')).split('## Reasons')[1] ?? '';
    const rows = [...reasons.matchAll(/^\|`(\w+)`\|/gm)].map(([, reason]) => reason);
    expect(rows).toEqual([...denialReasons]);
  });
});

describe('docs/security.md', () => {
  it('names only tests that exist, one or more for each attacker', () => {
    const attackers =
      (read('security.md').split('## Attackers')[1] ?? '').split('\n## ')[0]?.split('\n### ').slice(1) ?? [];
    const testsIn = (text: string): string[] => [...text.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, path]) => path!);
    expect(attackers.length).toBeGreaterThan(7);
    expect(attackers.filter(text => testsIn(text).length === 0)).toEqual([]);
    const missing = testsIn(read('security.md')).filter(path => !existsSync(join(import.meta.dirname, '../..', path)));
    expect(missing).toEqual([]);
  });
});

const text = readFileSync(join(import.meta.dirname, '../../docs/reference/technician-api.md'), 'utf8');

describe('docs/reference/technician-api.md', () => {
  it('lists exactly the error types of the technician API, each with its status', () => {
    const rows = [...text.matchAll(/^\| *(\d{3}) *\| *`(\w+)` *\|/gm)];
    expect(Object.fromEntries(rows.map(([, status, type]) => [type, Number(status)]))).toEqual(technicianErrorTypes);
  });
});

const namesIn = (pattern: string, name: RegExp): string[] =>
  globSync(pattern, { cwd: root, exclude: ['node_modules'] })
    .filter(file => !/\.test/.test(file))
    .flatMap(file => [...readFileSync(join(root, file), 'utf8').matchAll(name)].map(([, variable]) => variable!));

describe('docs/reference/configuration.md', () => {
  it('lists every environment variable that the programs read', () => {
    const used = new Set([
      ...namesIn('{*,packages/*}/src/**/*.ts', /'(LINTEL_[A-Z_]+)'/g),
      ...namesIn('packages/packaging/files/**/*.conf', /^(LINTEL_[A-Z_]+)=/gm),
    ]);
    const page = readPage('docs/reference/configuration.md');
    expect(used.size).toBeGreaterThan(5);
    expect([...used].filter(variable => !page.includes(`\`${variable}\``))).toEqual([]);
  });
});
