import { describe, expect, it } from 'vitest';
import { parseUnverifiedClaimTicket } from './parse-unverified-claim-ticket.ts';

const ticketOf = (content: unknown): string => `${Buffer.from(JSON.stringify(content)).toString('base64url')}.c2ln`;

describe('parseUnverifiedClaimTicket', () => {
  it('reads the bridge of a ticket and the device that it replaces', () => {
    const content = { bridge_url: 'https://türen.example', device_id: null, expires_at: 1_800_000_000_000 };
    expect(parseUnverifiedClaimTicket(ticketOf(content))).toEqual(content);
    expect(parseUnverifiedClaimTicket(ticketOf({ ...content, device_id: 'dev_1' }))?.device_id).toBe('dev_1');
  });

  it('rejects text that is not a ticket', () => {
    for (const text of ['', 'nonsense', 'a.b', '….…', ticketOf({}), ticketOf(null), `${'A'.repeat(5)}.x`])
      expect(parseUnverifiedClaimTicket(text)).toBeNull();
  });
});
