import { describe, expect, it } from 'vitest';
import { parseBridgeUrl } from './parse-bridge-url.ts';

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
