import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../../support/bridge/admin-client.ts';
import { TestBridge } from '../../support/bridge/test-bridge.ts';

describe('admin console files', () => {
  let bridge: TestBridge;
  let viewer: AdminClient;

  beforeAll(async () => {
    bridge = await TestBridge.open();
    const { organizationId } = await bridge.newOrganization();
    viewer = await openAdminSession(bridge, organizationId, 'viewer');
  });
  afterAll(() => bridge.close());

  const get = (url: string, headers: Record<string, string> = {}) => bridge.app.inject({ method: 'GET', url, headers });
  const openPage = (url = '/') => get(url, { cookie: viewer.headers['cookie']! });
  const assetsOf = (html: string): string[] => [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(m => m[1]!);

  it('sends a browser without a session to the login page and back', async () => {
    const deepLink = '/organizations/org_1/members?search=ann';
    const { statusCode, headers } = await get(deepLink);
    expect([statusCode, headers['location']]).toEqual([302, `/login?return_to=${encodeURIComponent(deepLink)}`]);
  });

  it('serves the same page at every address of the console, with a strict policy', async () => {
    const { body, headers } = await openPage();
    expect((await openPage('/organizations/org_1/members/mem_1')).body).toBe(body);
    expect(headers['cache-control']).toBe('no-store');
    const policy = String(headers['content-security-policy']);
    for (const part of ["default-src 'none'", "script-src 'self';", "style-src 'self';", "frame-ancestors 'none'"])
      expect(policy).toContain(part);
  });

  it('serves assets compressed and for ever, in less than 150 kB for the first load', async () => {
    const assets = assetsOf((await openPage()).body);
    expect(assets.length).toBeGreaterThanOrEqual(2);
    let bytes = 0;
    for (const url of assets) {
      const plain = await get(url);
      expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      const compressed = await get(url, { 'accept-encoding': 'gzip' });
      expect(compressed.headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(compressed.rawPayload).equals(plain.rawPayload)).toBe(true);
      expect((await get(url, { 'accept-encoding': 'gzip, br' })).headers['content-encoding']).toBe('br');
      bytes += compressed.rawPayload.length;
    }
    expect(bytes).toBeLessThan(150_000);
  });

  it('serves no other file', async () => {
    for (const name of ['main.js', '..%2fadmin.html', 'main-AAAAAAAA.js', 'main-AAAAAAAA.js.gz'])
      expect((await get(`/assets/${name}`)).statusCode).toBe(404);
  });
});
