import { describe, expect, it } from 'vitest';
import { parseFilter } from './filter.ts';

describe('parseFilter', () => {
  it.each([
    ['sitee_id', "unsupported filter 'sitee_id'. Did you mean 'site_id'?"],
    ['createdat:gt', "unsupported filter 'createdat:gt'. Did you mean 'created_at:gt'?"],
    ['color', "unsupported filter 'color'"],
  ])('explains the unsupported filter %s', (name, message) => {
    expect(parseFilter('device', name, 'x')).toMatchObject({ ok: false, problems: [{ path: name, message }] });
  });
});
