import { expect, it } from 'vitest';
import type { FormBrowser, FormPage } from '../../support/bridge/form-browser.ts';
import { describeOAuthOnBothDatabases, PASSWORD } from '../../support/bridge/oauth-fixture.ts';

const CHOSEN = 'a new long password';

let networks = 0;

describeOAuthOnBothDatabases('account page', oauth => {
  const newBrowser = (): FormBrowser => oauth().browser(`198.51.100.${++networks}`);

  const signIn = async (email: string): Promise<FormBrowser> => {
    const browser = newBrowser();
    await browser.logIn(email, PASSWORD);
    return browser;
  };

  const formToken = ({ html }: FormPage): string => /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';

  it('requires a signed-in user', async () => {
    expect((await newBrowser().get('/account')).location).toBe('/login?return_to=%2Faccount');
  });

  it('changes the password with the current one, and ends all other sessions', async () => {
    const { email } = await oauth().newTenant();
    const [browser, other] = [await signIn(email), await signIn(email)];
    const page = await browser.get('/account');
    const change = (current_password: string, new_password: string) =>
      browser.submit(page, { current_password, new_password });
    expect((await change('wrong', CHOSEN)).html).toContain('The current password is wrong');
    expect((await change(PASSWORD, 'short')).html).toContain('at least 12 characters');
    const changed = await change(PASSWORD, CHOSEN);
    expect((await browser.follow(changed)).html).toContain('Password changed');
    expect([await browser.isSignedIn(), await other.isSignedIn()]).toEqual([true, false]);
    expect((await newBrowser().logIn(email, CHOSEN)).status).toBe(303);
  });

  it('offers to end the tokens for scripts with the password, in every organization', async () => {
    const { email } = await oauth().newTenant();
    const browser = await signIn(email);
    const { app } = oauth().bridge;
    const cookie = `lintel_session=${browser.cookies.get('lintel_session')}`;
    const session = await app.inject({ url: '/admin/v1/session', headers: { cookie } });
    const headers = { cookie, 'x-csrf-token': session.json<{ csrf_token: string }>().csrf_token };
    const list = await app.inject({ url: '/admin/v1/organizations', headers });
    const [organization] = list.json<{ data: { id: string }[] }>().data;
    const url = `/admin/v1/organizations/${organization!.id}/tokens`;
    const payload = { name: 'Nightly export', scope: 'full_read_only' };
    const created = await app.inject({ method: 'POST', url, headers, payload });
    const { access_token } = created.json<{ access_token: string }>();
    const status = async () =>
      (await app.inject({ url: '/v2/members', headers: { authorization: `Bearer ${access_token}` } })).statusCode;
    const page = await browser.get('/account');
    expect(page.html).toContain('End my tokens for scripts, too: Nightly export');
    await browser.submit(page, { current_password: PASSWORD, new_password: CHOSEN });
    expect(await status()).toBe(200);
    const again = await browser.get('/account');
    const fields = { current_password: CHOSEN, new_password: `${CHOSEN} 2`, end_tokens: 'yes' };
    expect((await browser.submit(again, fields)).location).toBe('/account?done=password_and_tokens');
    expect(await status()).toBe(401);
    expect((await browser.get('/account')).html).not.toContain('End my tokens');
  });

  it('limits guesses of the current password', async () => {
    const { email } = await oauth().newTenant();
    const browser = await signIn(email);
    const page = await browser.get('/account');
    const statuses = [];
    for (let index = 0; index < 6; index++) {
      const fields = { current_password: `guess ${index}`, new_password: CHOSEN };
      statuses.push((await browser.submit(page, fields)).status);
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  });

  it('ends a session of the user, and none of another user', async () => {
    const { email } = await oauth().newTenant();
    const stranger = await signIn((await oauth().newTenant()).email);
    const [browser, other] = [await signIn(email), await signIn(email)];
    const page = await browser.get('/account');
    const ids = [...page.html.matchAll(/name="session_id" value="([^"]+)"/g)].map(([, id]) => id ?? '');
    expect(ids).toHaveLength(1);
    const end = (by: FormBrowser, form: FormPage) =>
      by.post('/account/sessions/end', { form_token: formToken(form), session_id: ids[0]! });
    await end(stranger, await stranger.get('/account'));
    expect(await other.isSignedIn()).toBe(true);
    expect((await end(browser, page)).location).toBe('/account?done=session');
    expect([await browser.isSignedIn(), await other.isSignedIn()]).toEqual([true, false]);
  });

  it('has the same functions in the API', async () => {
    const { email } = await oauth().newTenant();
    const [browser, other] = [await signIn(email), await signIn(email)];
    const cookie = `lintel_session=${browser.cookies.get('lintel_session')}`;
    const { app } = oauth().bridge;
    const call = (method: 'GET' | 'DELETE', path: string, headers: Record<string, string> = {}) =>
      app.inject({ method, url: `/admin/v1${path}`, headers: { cookie, ...headers } });
    const { csrf_token } = (await call('GET', '/session')).json<{ csrf_token: string }>();
    const { data } = (await call('GET', '/sessions')).json<{ data: { id: string; is_current: boolean }[] }>();
    expect(data).toHaveLength(2);
    expect(data[0]).toEqual({
      id: expect.any(String),
      client: expect.any(String),
      ip_address: expect.stringMatching(/^198\.51\.100\./),
      created_at: expect.any(String),
      last_used_at: expect.any(String),
      expires_at: expect.any(String),
      is_current: expect.any(Boolean),
    });
    const elsewhere = data.find(({ is_current }) => !is_current)!;
    expect((await call('DELETE', `/sessions/${elsewhere.id}`)).statusCode).toBe(403);
    const headers = { 'x-csrf-token': csrf_token };
    expect((await call('DELETE', `/sessions/${elsewhere.id}`, headers)).json()).toEqual(elsewhere);
    expect((await call('DELETE', `/sessions/${elsewhere.id}`, headers)).statusCode).toBe(404);
    expect([await browser.isSignedIn(), await other.isSignedIn()]).toEqual([true, false]);
  });
});
