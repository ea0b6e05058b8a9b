import { expect, it } from 'vitest';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';

const origin = 'https://app.example';
const paths = ['/v2/members', '/v2/members/mem_1', '/oauth2/token', '/.well-known/oauth-authorization-server'];

describeOnBothDatabases(
  'cross-origin requests',
  bridge => {
    const preflight = (url: string, method: string) =>
      bridge().app.inject({
        method: 'OPTIONS',
        url,
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization,content-type,idempotency-key',
        },
      });

    it.each(paths)('are permitted by a preflight request to %s', async url => {
      const { statusCode, headers, payload } = await preflight(url, 'PATCH');
      expect([statusCode, payload]).toEqual([204, '']);
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
        'access-control-allow-headers': 'authorization, content-type, idempotency-key, x-request-id',
      });
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    });

    it('can read responses, errors and the headers for retries', async () => {
      const client = await bridge().newOrganization();
      const authorization = `Bearer ${client.token}`;
      for (const [url, headers] of [
        ['/v2/members', { origin, authorization }],
        ['/v2/members', { origin }],
        ['/v2/nothing', { origin, authorization }],
        ['/oauth2/token', { origin }],
        ['/.well-known/oauth-authorization-server', { origin }],
      ] as const) {
        const response = await bridge().app.inject({ url, headers });
        expect(response.headers).toMatchObject({
          'access-control-allow-origin': '*',
          'access-control-expose-headers': expect.stringMatching(/retry-after.*x-request-id/),
        });
      }
    });

    it.each(['/admin/v1/account', '/login', '/oauth2/auth', '/docs', '/v2x', '/'])(
      'are not permitted to %s',
      async url => {
        expect((await preflight(url, 'GET')).headers).not.toHaveProperty('access-control-allow-origin');
        const { headers } = await bridge().app.inject({ url, headers: { origin } });
        expect(headers).not.toHaveProperty('access-control-allow-origin');
      },
    );
  },
  {},
  ['slow'],
);
