import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startDevice } from '../support/processes/device-process.ts';
import { TechnicianApiClient } from '../support/technician/technician-api-client.ts';
import { TechnicianApiFixture } from '../support/technician/technician-api-fixture.ts';

const SCRIPT = 'document.title = "Door"';
const HTML = `<!doctype html><style>b{color:red}</style><script type="module">${SCRIPT}</script>`;

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

const get = (url: string, headers: Record<string, string> = {}): Promise<Got> =>
  new Promise((resolve, reject) => {
    const outgoing = request(url, { rejectUnauthorized: false, headers }, response => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => void chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    outgoing.once('error', reject);
    outgoing.end();
  });

describe('GET / of a controller', () => {
  let door: TechnicianApiFixture;
  let pages: string;
  beforeEach(async () => {
    pages = mkdtempSync(join(tmpdir(), 'lintel-pages-'));
    writeFileSync(join(pages, 'technician.html'), HTML);
    door = new TechnicianApiFixture();
    await door.open({ pages });
  });
  afterEach(async () => {
    await door.remove();
    rmSync(pages, { recursive: true });
  });
  const page = (headers?: Record<string, string>, path = '/') => get(`${door.technician.url}${path}`, headers);

  it('serves the technician page plain or compressed and allows exactly its own script', async () => {
    const plain = await page();
    expect([plain.status, plain.bytes.toString()]).toEqual([200, HTML]);
    const zipped = await page({ 'accept-encoding': 'gzip, deflate' });
    expect([zipped.headers['content-encoding'], gunzipSync(zipped.bytes).toString()]).toEqual(['gzip', HTML]);
    const brotli = await page({ 'accept-encoding': 'gzip, deflate, br' });
    expect([brotli.headers['content-encoding'], brotliDecompressSync(brotli.bytes).toString()]).toEqual(['br', HTML]);
    const policy = String(plain.headers['content-security-policy']);
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('answers 304 until the page is built again', async () => {
    const etag = String((await page()).headers.etag);
    expect((await page({ 'if-none-match': etag })).status).toBe(304);
    writeFileSync(join(pages, 'technician.html'), '<p>new</p>');
    utimesSync(join(pages, 'technician.html'), new Date(), new Date(Date.now() + 5_000));
    const fresh = await page({ 'if-none-match': etag });
    expect([fresh.status, fresh.bytes.toString()]).toEqual([200, '<p>new</p>']);
  });

  it('accepts links from other sites, but only for its own host name', async () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await page(link)).status).toBe(200);
    expect((await page(link, '/?x=1')).status).toBe(200);
    expect((await page(link, '/technician/v1/hello')).status).toBe(403);
    expect((await page({ host: 'evil.example' })).status).toBe(403);
  });

  it('explains how to build a missing page', async () => {
    rmSync(join(pages, 'technician.html'));
    const { status, bytes } = await page();
    expect([status, bytes.toString()]).toEqual([404, expect.stringContaining('node console/build.ts')]);
    expect((await page({}, '/technician/v1/hello')).status).toBe(200);
  });
});

describe('lintel device without a profile', () => {
  const start = async (dataDir: string) => {
    const device = await startDevice(dataDir);
    onTestFinished(() => void device.stop('SIGKILL'));
    const client = new TechnicianApiClient(device.ready['technician']!);
    const code = readFileSync(join(dataDir, 'technician/setup-code'), 'utf8').trim();
    await client.login({ code });
    return { device, client };
  };

  it('serves its page, takes a profile there, and starts with that profile afterwards', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-unconfigured-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const before = await start(dataDir);
    expect(before.device.ready['product_id']).toBe('unconfigured');
    expect((await before.client.call('GET', '/doctor')).body).toMatchObject({ fixed_because: null });
    const claim = await before.client.call('POST', '/claim', { body: { ticket: 'x' } });
    expect([claim.status, claim.body['args']]).toEqual([409, { reason: 'no_profile' }]);
    const wrong = await before.client.call('PUT', '/profile', { body: { profile: { product_id: 'Mine' } } });
    expect([wrong.status, wrong.body['args']]).toEqual([400, { field: expect.stringMatching(/^profile\./) }]);
    expect((await before.client.call('PUT', '/profile', { body: { name: 'no-such' } })).status).toBe(400);
    const chosen = await before.client.call('PUT', '/profile', { body: { name: 'laptop-simulator' } });
    expect([chosen.status, chosen.body]).toEqual([202, { product_id: 'laptop-simulator', is_restarting: true }]);
    expect(await before.device.exited).toBe(75);
    const after = await start(dataDir);
    expect(after.device.ready['product_id']).toBe('laptop-simulator');
    expect(await after.device.stop()).toBe(0);
  });

  it('starts without a product and reports the fault when its saved profile is damaged', {
    tags: ['slow'],
  }, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-unconfigured-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    writeFileSync(join(dataDir, 'profile.json'), '{');
    const damaged = await start(dataDir);
    expect(damaged.device.ready['product_id']).toBe('unconfigured');
    const { faults } = (await damaged.client.call('GET', '/status')).body as { faults?: readonly { code: string }[] };
    expect(faults?.map(({ code }) => code)).toContain('profile');
    await damaged.device.stop();
  });
});
