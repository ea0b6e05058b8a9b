import { describe, expect, it } from 'vitest';
import { addressOf } from './bridge-address.ts';

describe('addressOf', () => {
  it('completes an address that a person types', () => {
    expect(addressOf(' https://doors.example.com ')).toBe('https://doors.example.com');
    expect(addressOf('doors.example.com')).toBe('https://doors.example.com');
    expect(addressOf('doors.example.com:8443')).toBe('https://doors.example.com:8443');
    expect(addressOf('http://127.0.0.1:8080')).toBe('http://127.0.0.1:8080');
    expect(addressOf('https://[fd00::2]:8443/lintel')).toBe('https://[fd00::2]:8443/lintel');
  });

  it('rejects text that is not an address', () => {
    for (const typed of ['', ' ', 'not an address', 'https://', 'https://a b', 'ftp://x']) {
      expect([typed, addressOf(typed)]).toEqual([typed, null]);
    }
  });
});
