interface UserLogin {
  readonly email: string;
  readonly password: string;
}

const cookiePairs = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map(cookie => cookie.split(';')[0])
    .join('; ');

/** Signs a user in at the bridge. Returns the `Set-Cookie` headers of the session. */
export const signInAtBridge = async (bridgeUrl: string, { email, password }: UserLogin): Promise<string[]> => {
  const form = await fetch(`${bridgeUrl}/login`);
  const formToken = /name="form_token" value="([^"]+)"/.exec(await form.text())?.[1] ?? '';
  const response = await fetch(`${bridgeUrl}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookiePairs(form), origin: bridgeUrl },
    body: new URLSearchParams({ email, password, form_token: formToken }),
  });
  if (response.status !== 303) throw new Error(`The bridge answered the sign-in with status ${response.status}`);
  return response.headers.getSetCookie();
};
