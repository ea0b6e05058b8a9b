import { describe, expect, it } from 'vitest';
import { AllowedMethods } from './allowed-methods.ts';

describe('AllowedMethods', () => {
  const table = new AllowedMethods();
  table.add('GET', '/v2/members');
  table.add('POST', '/v2/members');
  table.add('DELETE', '/v2/members/:member_id');
  table.add('GET', '/v2/openapi.json');

  it.each([
    ['/v2/members', ['GET', 'HEAD', 'POST']],
    ['/v2/members/', ['GET', 'HEAD', 'POST']],
    ['/v2/members/mem_1', ['DELETE']],
    ['/v2/members/mem_1/pins', []],
    ['/v2/openapi.json', ['GET', 'HEAD']],
    ['/v2/openapiXjson', []],
  ])('returns the methods of %s: %j', (path, methods) => {
    expect(table.methodsAt(path)).toEqual(methods);
  });
});
