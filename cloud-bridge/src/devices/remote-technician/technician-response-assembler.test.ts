import { describe, expect, it } from 'vitest';
import { TechnicianResponseAssembler } from './technician-response-assembler.ts';
import { selectForwardedResponseHeaders } from './forwarded-response-headers.ts';

const part = (number: number, parts: number, body: string) =>
  ({ v: 1, request_id: 'r', part: number, parts, status: 200, headers: {}, body }) as const;

describe('TechnicianResponseAssembler', () => {
  it('is complete when all parts have arrived, in any order and with repetitions', () => {
    const parts = new TechnicianResponseAssembler();
    expect(parts.add(part(2, 3, 'c'))).toBeNull();
    expect(parts.add(part(0, 3, 'a'))).toBeNull();
    expect(parts.add(part(0, 3, 'a'))).toBeNull();
    expect(parts.add(part(1, 3, 'b'))).toEqual({ status: 200, headers: {}, body: 'abc' });
  });

  it('ignores a part beyond the count or with another count', () => {
    const parts = new TechnicianResponseAssembler();
    expect(parts.add(part(0, 2, 'a'))).toBeNull();
    expect(parts.add(part(1, 3, 'x'))).toBeNull();
    expect(parts.add(part(2, 2, 'x'))).toBeNull();
    expect(parts.add(part(1, 2, 'b'))?.body).toBe('ab');
  });
});

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
