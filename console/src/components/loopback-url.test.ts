import { describe, expect, it } from 'vitest';
import { isLoopbackUrl } from './loopback-url.ts';

describe('isLoopbackUrl', () => {
  it('is true for the addresses of the own machine', () => {
    for (const url of ['http://127.0.0.1:8080', 'http://localhost', 'https://[::1]:8443', 'http://127.9.9.9'])
      expect([url, isLoopbackUrl(url)]).toEqual([url, true]);
    for (const url of ['https://192.168.1.20:8443', 'https://localhost.example.com', 'nonsense'])
      expect([url, isLoopbackUrl(url)]).toEqual([url, false]);
  });
});
