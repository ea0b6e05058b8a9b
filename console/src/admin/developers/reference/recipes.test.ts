import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiRecipes } from './recipes.ts';

const clientTypes = readFileSync(new URL('../../../../../packages/client/src/api-types.ts', import.meta.url), 'utf8');

describe('recipes', () => {
  it.each(apiRecipes)('$id calls only operations that the client has, at the address of the bridge', ({ samples }) => {
    const { curl, TypeScript, Python } = samples('https://doors.example.com/v2');
    const names = [...TypeScript.matchAll(/lintel\.call\('(\w+)'/g)].map(([, name]) => name);
    expect(names).not.toEqual([]);
    expect(names.filter(name => !clientTypes.includes(`${name}:`))).toEqual([]);
    for (const text of [curl, TypeScript, Python]) expect(text).toContain('https://doors.example.com/v2');
  });
});
