import { describe, expect, it } from 'vitest';
import { captureApiError } from '../test-organization.test-support.ts';
import { type PageRequest, paginateById } from './paginated-list-endpoint.ts';

const rows = Array.from({ length: 7 }, (_, index) => ({ id: `id_${index}`, kind: index % 2 === 0 ? 'even' : 'odd' }));

const list = (query: Record<string, unknown>, name = 'rows org_1') =>
  paginateById(query, {
    name,
    filters: ['kind'],
    read: async ({ before, count, filters }: PageRequest) =>
      rows
        .toReversed()
        .filter(({ id, kind }) => (before === null || id < before) && (filters['kind'] ?? kind) === kind)
        .slice(0, count),
    idOf: ({ id }) => id,
    toObject: row => row,
  });

describe('paginateById', () => {
  it.each(['1', '2', '3', '7', '100'])('pages through everything once, newest first, with limit %s', async limit => {
    const found: unknown[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = await list({ limit, ...(cursor === '' ? {} : { cursor }) });
      found.push(...page.data.map(({ id }) => id));
      cursor = page.cursor_next;
      expect(page.has_next).toBe(cursor !== undefined);
    }
    expect(found).toEqual(rows.map(({ id }) => id).toReversed());
  });

  it('keeps its filters from page to page', async () => {
    const first = await list({ limit: '2', kind: 'odd' });
    const second = await list({ limit: '2', kind: 'odd', cursor: first.cursor_next });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(['id_5', 'id_3', 'id_1']);
    expect(await captureApiError(list({ limit: '2', kind: 'even', cursor: first.cursor_next }))).toBe(
      'invalid_request: cursor',
    );
  });

  it('rejects the cursor of another list', async () => {
    const { cursor_next: cursor } = await list({ limit: '1' });
    expect(await captureApiError(list({ limit: '1', cursor }, 'rows org_2'))).toBe('invalid_request: cursor');
  });

  it.each([
    ['limit', { limit: '0' }],
    ['limit', { limit: '101' }],
    ['limit', { limit: '-1' }],
    ['limit', { limit: ['1'] }],
    ['color', { color: 'red' }],
    ['kind', { kind: ['odd', 'even'] }],
    ['cursor', { cursor: ['a', 'b'] }],
    ['cursor', { cursor: 'nonsense' }],
  ])('rejects an invalid %s: %j', async (field, query) => {
    expect(await captureApiError(list(query))).toBe(`invalid_request: ${field}`);
  });
});
