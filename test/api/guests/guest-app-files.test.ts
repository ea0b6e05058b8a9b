import { expect, it } from 'vitest';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';

interface Manifest {
  readonly name: string;
  readonly start_url: string;
  readonly display: string;
  readonly icons: readonly { readonly src: string; readonly sizes: string }[];
}

describeOnBothDatabases(
  'guest app',
  bridge => {
    const get = (url: string) => bridge().app.inject({ method: 'GET', url });

    it.each([
      ['en', 'Doors'],
      ['de', 'Türen'],
      ['es', 'Puertas'],
    ])('has a manifest in the language %s, with icons of the stated size', async (language, name) => {
      const answer = await get(`/guest/manifest-${language}.webmanifest`);
      expect(answer.headers['content-type']).toBe('application/manifest+json; charset=utf-8');
      const manifest = answer.json<Manifest>();
      expect(manifest).toMatchObject({ name, lang: language, start_url: '/guest', display: 'standalone' });
      for (const { src, sizes } of manifest.icons) {
        const icon = await get(src);
        expect(icon.headers['content-type']).toBe('image/png');
        const [width, height] = [icon.rawPayload.readUInt32BE(16), icon.rawPayload.readUInt32BE(20)];
        expect(`${width}x${height}`).toBe(sizes);
      }
    });

    it('has a service worker for the whole page that may request only this bridge', async () => {
      const { statusCode, headers } = await get('/guest/service-worker.js');
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'service-worker-allowed': '/guest',
        'content-security-policy': "default-src 'none'; connect-src 'self'",
        'cache-control': 'no-cache',
      });
      const policy = (await get('/guest')).headers['content-security-policy'] as string;
      expect(policy.split('; ')).toEqual(expect.arrayContaining(["worker-src 'self'", "manifest-src 'self'"]));
    });
  },
  {},
  ['slow'],
);
