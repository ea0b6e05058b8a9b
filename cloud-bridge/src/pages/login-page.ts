import { frame, hidden } from './frame.ts';
import { html, type Markup } from './markup.ts';

export interface LoginPage {
  readonly formToken: string;
  readonly returnTo: string | null;
  readonly email?: string;
  readonly problem?: string;
}

export const loginPage = ({ formToken, returnTo, email = '', problem }: LoginPage): Markup => {
  const wrong = problem === undefined ? null : html`<p class="problem" id="problem" role="alert">${problem}</p>`;
  const described = problem === undefined ? null : html` aria-invalid="true" aria-describedby="problem"`;
  // Whoever mistyped the password gets the cursor there, everyone else where typing begins.
  const [focusEmail, focusPassword] = email === '' ? [html` autofocus`, null] : [null, html` autofocus`];
  return frame(
    'Log in',
    html`<h1>Log in</h1>
${wrong}
<form method="post" action="/login">
${hidden('form_token', formToken)}
${returnTo === null ? null : hidden('return_to', returnTo)}
<label for="email">Email</label>
<input id="email" name="email" type="email" value="${email}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required${described}${focusEmail}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required${described}${focusPassword}>
<button class="primary" type="submit">Log in</button>
</form>`,
  );
};

export interface SignedInPage {
  readonly formToken: string;
  readonly email: string;
}

export const signedInPage = ({ formToken, email }: SignedInPage): Markup =>
  frame(
    'You are logged in',
    html`<h1>You are logged in</h1>
<p>This browser is logged in as <strong>${email}</strong>.</p>
<form method="post" action="/logout">
${hidden('form_token', formToken)}
<button class="secondary" type="submit">Log out</button>
</form>`,
  );
