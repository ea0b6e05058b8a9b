import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpListener, httpListeners } from './http-listeners.ts';
import { sendRaw } from './raw-http.ts';

const foreignHosts = [
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'evil.example#localhost',
  'localhost@evil.example',
  'doors.example.com.evil.example',
];

describe.each(httpListeners)('Host header: %s', (_, open) => {
  let listener: HttpListener;
  beforeAll(async () => {
    listener = await open();
  });
  afterAll(() => listener.close());

  const get = (version: string, host: string | null) =>
    sendRaw(listener.url, [
      `GET ${listener.protectedPath} HTTP/${version}`,
      ...(host === null ? [] : [`Host: ${host}`]),
      ...listener.headers,
      'Connection: close',
    ]);

  it('accepts the names of this machine and its own, with any port', async () => {
    const { port } = new URL(listener.url);
    const hosts = ['localhost', '127.0.0.1', '[::1]', ...listener.hosts];
    for (const host of [...hosts, `localhost:${port}`, '127.0.0.1:1', '[::1]:65535']) {
      const { status, text } = await get('1.1', host);
      expect([host, status, text.includes(listener.content)]).toEqual([host, 200, true]);
    }
  });

  it('refuses other names, as after DNS rebinding, and says why', async () => {
    const { port } = new URL(listener.url);
    for (const host of [...foreignHosts, ...foreignHosts.map(name => `${name}:${port}`)]) {
      const { status, text } = await get('1.1', host);
      expect([host, status, text.includes(listener.content)]).toEqual([host, 403, false]);
      expect(text.split('\r\n\r\n')[1]).toMatch(/this machine|this bridge|host name/);
    }
  });

  it('refuses requests without a Host header', async () => {
    for (const version of ['1.0', '1.1']) {
      const { status, text } = await get(version, null);
      expect([400, 403]).toContain(status);
      expect(text).not.toContain(listener.content);
    }
  });
});
