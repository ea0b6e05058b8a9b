import { describe, expect, it } from 'vitest';
import { compareRows } from './recorded-changes.ts';

const member = { name: 'Ann', starts_at: null, ends_at: 1_000, tag_ids: '[]', metadata: '{}', expired_for: null };

describe('compareRows', () => {
  it('gives the values before and after of what changed', () => {
    expect(compareRows('member', member, { ...member, ends_at: 2_000, tag_ids: '["tag_1"]' })).toEqual({
      ends_at: ['1970-01-01T00:00:01.000Z', '1970-01-01T00:00:02.000Z'],
      tag_ids: [[], ['tag_1']],
    });
    expect(compareRows('member', member, { ...member, metadata: '{"note":"x"}', expired_for: 3 })).toEqual({});
  });

  it('gives what a new object has', () => {
    expect(compareRows('member', null, member)).toEqual({
      name: [null, 'Ann'],
      ends_at: [null, '1970-01-01T00:00:01.000Z'],
    });
  });

  it('keeps nothing of credentials, keys and webhook addresses', () => {
    for (const kind of ['member_pin', 'member_card', 'member_token', 'member_magic_link', 'member_email'])
      expect(compareRows(kind, null, { sealed: 's', blind: 'b', public_key: 'k', email: 'e', uid: 'u' })).toEqual({});
    const webhook = { url: 'https://hook.example/?token=1', sealed_secret: 's', is_enabled: 1 };
    expect(compareRows('webhook', null, webhook)).toEqual({ is_enabled: [null, true] });
    expect(compareRows('card', null, { uid: '04a1', printed_code: '123', name: 'Red' })).toEqual({
      name: [null, 'Red'],
    });
  });
});
