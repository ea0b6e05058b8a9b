import { renderPageLayout, renderHiddenInput } from './page-layout.ts';
import { html, type HtmlMarkup } from './html-template.ts';
import { renderPasskeyForm, passkeyScript } from './passkey-form.ts';

export interface LoginPageProps {
  readonly csrfToken: string;
  readonly returnTo: string | null;
  readonly email?: string;
  readonly problem?: string;
  /** Options for signing in with a passkey, as JSON; null if this bridge cannot offer passkeys. */
  readonly passkeyOptions: string | null;
}

export const renderLoginPage = ({
  csrfToken,
  returnTo,
  email = '',
  problem,
  passkeyOptions,
}: LoginPageProps): HtmlMarkup => {
  const alert = problem === undefined ? null : html`<p class="problem" id="problem" role="alert">${problem}</p>`;
  const invalidAttributes = problem === undefined ? null : html` aria-invalid="true" aria-describedby="problem"`;
  // After a wrong password, the focus is on the password, otherwise on the email.
  const [focusEmail, focusPassword] = email === '' ? [html` autofocus`, null] : [null, html` autofocus`];
  const returnField = returnTo === null ? null : renderHiddenInput('return_to', returnTo);
  const passkey =
    passkeyOptions === null
      ? null
      : html`${renderPasskeyForm('get', { action: '/login/passkey', csrfToken, options: passkeyOptions }, returnField, 'Sign in with a passkey')}
${passkeyScript}`;
  return renderPageLayout(
    'Sign in',
    html`<h1>Sign in</h1>
${alert}
<form method="post" action="/login">
${renderHiddenInput('form_token', csrfToken)}
${returnField}
<label for="email">Email</label>
<input id="email" name="email" type="email" value="${email}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required${invalidAttributes}${focusEmail}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required${invalidAttributes}${focusPassword}>
<button class="primary" type="submit">Sign in</button>
</form>
${passkey}
<p><a href="/forgot-password">Forgot password?</a></p>`,
  );
};

export interface SignedInPageProps {
  readonly csrfToken: string;
  readonly email: string;
}

export const renderSignedInPage = ({ csrfToken, email }: SignedInPageProps): HtmlMarkup =>
  renderPageLayout(
    'You are signed in',
    html`<h1>You are signed in</h1>
<p>This browser is signed in as <strong>${email}</strong>.</p>
<form method="post" action="/logout">
${renderHiddenInput('form_token', csrfToken)}
<button class="secondary" type="submit">Sign out</button>
</form>
<p><a href="/">Open the console</a></p>
<p><a href="/account">Your account</a></p>`,
  );
