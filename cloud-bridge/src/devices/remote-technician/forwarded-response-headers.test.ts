import { describe, expect, it } from 'vitest';
import { selectForwardedResponseHeaders } from './forwarded-response-headers.ts';

describe('selectForwardedResponseHeaders', () => {
  it('passes on useful headers and drops harmful ones', () => {
    const headers = {
      'retry-after': '30',
      allow: 'GET, POST',
      'content-disposition': 'attachment; filename="lintel-7f3a-2026-03-29.json"',
    };
    const harmful = { 'set-cookie': 'lintel_session=x', 'content-type': 'text/html', location: 'https://evil.example' };
    expect(selectForwardedResponseHeaders({ headers: { ...headers, ...harmful } })).toEqual(headers);
    expect(
      selectForwardedResponseHeaders({ headers: { 'content-disposition': 'inline', 'retry-after': '1\r\nx: y' } }),
    ).toEqual({});
  });
});
