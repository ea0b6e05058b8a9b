import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpListener, httpListeners } from './http-listeners.ts';
import { sendRaw } from './raw-http.ts';

/** Targets that another program on the way might read as the given path. */
const confusingTargets = (path: string, host: string): readonly string[] => {
  const [last = '', ...before] = path.split('/').toReversed();
  const parent = before.toReversed().join('/');
  const joinedBy = (separator: string): string => `${parent}${separator}${last}`;
  return [
    ...['\\', '%5c', '%5C', '/\\', '%2f', '%2F', '//', '/./', '/%2e/', '/x/../', '/x/%2e%2e/', '/x/%2E%2E%2f'].map(
      joinedBy,
    ),
    ...['/x/..;/', ';/', '/;/', '%3b/', '/%252e/', '/x/%252e%252e/', '%252f', '%255c', '%25%32%66'].map(joinedBy),
    ...['\u2215', '\u2044', '\uff0f', '%E2%88%95', '%EF%BC%8F', '%u2215', '%c0%af', '%e0%80%af'].map(joinedBy),
    ...[';', ';x=1', '.', '..', '%2e', '%252e', '/.', '/..', '/%2e', '%20', '+', '%00', '%00.html', '\0'].map(
      ending => `${path}${ending}`,
    ),
    ...['\\', '%5c', '/', '/.', '%2e%2e'].map(beginning => `${beginning}${path}`),
    `/x/..${path}`,
    `/%2e%2e${path}`,
    `/..;${path}`,
    `http://${host}${path}`,
    `https://evil.example${path}`,
    `//evil.example${path}`,
    `evil.example${path}`,
    `/http://${host}${path}`,
    '*',
  ];
};

describe.each(httpListeners)('HTTP paths: %s', (_, open) => {
  let listener: HttpListener;
  beforeAll(async () => {
    listener = await open();
  });
  afterAll(() => listener.close());

  const get = (target: string) => {
    const { host } = new URL(listener.url);
    return sendRaw(listener.url, [`GET ${target} HTTP/1.1`, `Host: ${host}`, ...listener.headers, 'Connection: close']);
  };

  it('reaches the protected resource by its exact path', async () => {
    const { status, text } = await get(listener.protectedPath);
    expect([status, text.includes(listener.content)]).toEqual([200, true]);
  });

  it('answers every confusing target with 4xx and without the protected resource', async () => {
    const { host } = new URL(listener.url);
    const reached: string[] = [];
    for (const target of confusingTargets(listener.protectedPath, host)) {
      const { status, text } = await get(target);
      const isRefused = status !== null && status >= 400 && status < 500;
      if (!isRefused || text.includes(listener.content)) reached.push(`${JSON.stringify(target)} → ${status}`);
    }
    expect(reached).toEqual([]);
  });
});
