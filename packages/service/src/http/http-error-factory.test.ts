import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { HttpErrorFactory, sendHttpError } from './http-error-factory.ts';

const statuses: Readonly<Record<string, number>> = { not_found: 404, method_not_allowed: 405, payload_too_large: 413 };

class TestError extends Error {
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(type: string, message: string, _args = {}, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.type = type;
    this.headers = headers;
  }

  get status(): number {
    return statuses[this.type] ?? 400;
  }

  get body(): object {
    return { type: this.type };
  }
}

const errors = new HttpErrorFactory(TestError);

describe('HttpErrorFactory', () => {
  it('parses a JSON body, and reads an empty body as none', () => {
    expect(errors.parseJson(Buffer.from('{"a":1}'))).toEqual({ a: 1 });
    expect(errors.parseJson(Buffer.alloc(0))).toBeUndefined();
  });

  it.each([Buffer.from('{'), Buffer.from([0x22, 0xff, 0x22])])('rejects the body %j', body => {
    expect(() => errors.parseJson(body)).toThrow('not well-formed JSON');
  });

  it.each([
    ['FST_ERR_CTP_BODY_TOO_LARGE', 413, 'payload_too_large'],
    ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 415, 'unsupported_media_type'],
    ['FST_ERR_MAX_PARAM_LENGTH', 414, 'not_found'],
    ['FST_ERR_BAD_URL', 400, 'invalid_request'],
    ['FST_ERR_OTHER', 422, 'invalid_request'],
  ])('translates %s', (code, statusCode, type) => {
    expect(errors.fromFramework({ code, statusCode })).toMatchObject({ type });
  });

  it('does not translate errors of the server', () => {
    expect(errors.fromFramework({ code: 'FST_ERR_OTHER', statusCode: 500 })).toBeNull();
    expect(errors.fromFramework({})).toBeNull();
  });

  it('responds with 405 and the allowed methods only where the path has other methods', () => {
    expect(errors.notServed('PUT', ['GET', 'HEAD'])).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    expect(errors.notServed('PUT', [])).toMatchObject({ status: 404 });
    expect(errors.notServed('GET', ['GET'])).toMatchObject({ status: 404 });
  });

  it('sends status, headers and body of an error', () => {
    const sent: unknown[] = [];
    const reply = {
      code: (status: number) => (sent.push(status), reply),
      headers: (headers: object) => (sent.push(headers), reply),
      header: (name: string, value: string) => (sent.push(`${name}: ${value}`), reply),
      send: (body: string) => sent.push(body),
    };
    sendHttpError(reply, errors.notServed('PUT', ['GET']));
    expect(sent).toEqual([
      405,
      { allow: 'GET' },
      'content-type: application/json; charset=utf-8',
      '{"type":"method_not_allowed"}',
    ]);
  });

  it('answers a broken request with its own status, and destroys a socket that cannot be written', () => {
    const socketOf = (writable: boolean) => {
      const log: string[] = [];
      const socket = Object.assign(new EventEmitter(), {
        writable,
        destroy: () => log.push('destroyed'),
        setTimeout: () => undefined,
        end: (text: string) => log.push(text.split('\r\n')[0]!),
      });
      return { log, socket: socket as unknown as Socket };
    };
    const answered = socketOf(true);
    errors.endBrokenRequest({ code: 'HPE_HEADER_OVERFLOW' }, answered.socket);
    errors.endBrokenRequest({}, answered.socket);
    const closed = socketOf(false);
    errors.endBrokenRequest({}, closed.socket);
    expect(answered.log).toEqual(['HTTP/1.1 431 Request Header Fields Too Large', 'HTTP/1.1 400 Bad Request']);
    expect(closed.log).toEqual(['destroyed']);
  });
});
