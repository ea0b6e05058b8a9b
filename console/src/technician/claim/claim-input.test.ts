import { describe, expect, it } from 'vitest';
import { parseUnverifiedClaimTicket, parseBridgeUrl } from './claim-input.ts';

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

describe('parseBridgeUrl', () => {
  it('completes an address that a person types', () => {
    expect(parseBridgeUrl(' https://doors.example.com ')).toBe('https://doors.example.com');
    expect(parseBridgeUrl('doors.example.com')).toBe('https://doors.example.com');
    expect(parseBridgeUrl('doors.example.com:8443')).toBe('https://doors.example.com:8443');
    expect(parseBridgeUrl('http://127.0.0.1:8080')).toBe('http://127.0.0.1:8080');
    expect(parseBridgeUrl('https://[fd00::2]:8443/lintel')).toBe('https://[fd00::2]:8443/lintel');
  });

  it('rejects text that is not an address', () => {
    for (const typed of ['', ' ', 'not an address', 'https://', 'https://a b', 'ftp://x']) {
      expect([typed, parseBridgeUrl(typed)]).toEqual([typed, null]);
    }
  });
});
