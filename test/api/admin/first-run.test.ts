import { expect, it } from 'vitest';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { TestBridge } from '../../support/bridge/test-bridge.ts';

const account = {
  email: 'Owner@Example.test',
  password: 'correct horse battery',
  organization_name: 'Hotel Lintel',
  name: 'Olivia',
};

const setUp = (bridge: TestBridge, body: object, headers: Readonly<Record<string, string>> = {}) =>
  bridge.app.inject({ method: 'POST', url: '/setup', payload: body, headers });

describeOnSqliteFirst('POST /setup', bridge => {
  const withCode = (more: object = {}) => ({ code: bridge().bridge.firstRun.code, ...account, ...more });

  it('leads from the console to the page while no account exists', async () => {
    const root = await bridge().app.inject({ url: '/' });
    expect([root.statusCode, root.headers['location']]).toEqual([302, '/setup']);
    const page = await bridge().app.inject({ url: '/setup' });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
  });

  it('rejects a wrong code, a foreign origin and an unacceptable account, and creates nothing', async () => {
    expect((await setUp(bridge(), withCode({ code: '0000-0000-0000' }))).statusCode).toBe(403);
    expect((await setUp(bridge(), withCode({ code: '' }))).statusCode).toBe(403);
    expect((await setUp(bridge(), withCode(), { origin: 'https://evil.example' })).statusCode).toBe(403);
    for (const password of ['short', '0123456789', '0123456789012', 'password12345']) {
      const refused = await setUp(bridge(), withCode({ password }));
      expect(refused.json()).toMatchObject({ type: 'invalid_request', args: { field: 'password' } });
    }
    const address = await setUp(bridge(), withCode({ email: 'no address' }));
    expect(address.json()).toMatchObject({ type: 'invalid_request', args: { field: 'email' } });
    expect(await bridge().bridge.firstRun.isPending()).toBe(true);
  });

  it('creates one owner when two callers have the code, signs in the one and is gone for the other', async () => {
    const results = await Promise.all([
      setUp(bridge(), withCode()),
      setUp(bridge(), withCode({ email: 'second@example.test', code: bridge().bridge.firstRun.code.toLowerCase() })),
    ]);
    expect(results.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 404]);
    const won = results.find(({ statusCode }) => statusCode === 200)!;
    const { organization_id } = won.json<{ organization_id: string }>();
    const [cookie = ''] = [won.headers['set-cookie'] ?? []].flat();
    expect(cookie).toContain('HttpOnly');
    const session = { cookie: cookie.split(';')[0]! };
    const organizations = await bridge().app.inject({ url: '/admin/v1/organizations', headers: session });
    expect(organizations.json()).toMatchObject({
      data: [{ id: organization_id, name: 'Hotel Lintel', role: 'owner' }],
    });
    const users = await bridge().services.storage.reader.selectFrom('users').selectAll().execute();
    expect(users).toMatchObject([{ name: 'Olivia' }]);
    expect(users[0]!.password_hash).toMatch(/^\$argon2id\$/);
  });

  it('is unknown once an account exists, also with the code', async () => {
    expect((await setUp(bridge(), withCode())).statusCode).toBe(404);
    const page = await bridge().app.inject({ url: '/setup' });
    expect([page.statusCode, page.headers['location']]).toEqual([302, '/']);
    const root = await bridge().app.inject({ url: '/' });
    expect(root.headers['location']).toBe('/login?return_to=%2F');
  });
});

it('limits the attempts', async () => {
  const bridge = await TestBridge.open();
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 6; attempt++)
    statuses.push((await setUp(bridge, { code: '0000-0000-0000', ...account })).statusCode);
  const { code } = bridge.bridge.firstRun;
  const right = await setUp(bridge, { code, ...account });
  expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
  expect(right.statusCode).toBe(429);
  expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
  bridge.advanceSeconds(6);
  expect((await setUp(bridge, { code, ...account })).statusCode).toBe(200);
  await bridge.close();
});
