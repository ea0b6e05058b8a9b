import { describe, expect, it } from 'vitest';
import { parseListFilter } from './list-filter.ts';

describe('parseListFilter', () => {
  it.each([
    ['sitee_id', "unsupported filter 'sitee_id'. Did you mean 'site_id'?"],
    ['createdat:gt', "unsupported filter 'createdat:gt'. Did you mean 'created_at:gt'?"],
    ['Porduct_Id', "unsupported filter 'Porduct_Id'. Did you mean 'product_id'?"],
    ['color', "unsupported filter 'color'"],
    ['', "unsupported filter ''"],
    ['s'.repeat(10_000), `unsupported filter '${'s'.repeat(10_000)}'`],
  ])('explains the unsupported filter %s', (name, message) => {
    expect(parseListFilter('device', name, 'x')).toMatchObject({ ok: false, problems: [{ path: name, message }] });
  });
});
