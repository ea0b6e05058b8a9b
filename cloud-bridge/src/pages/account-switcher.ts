import { hiddenInput } from './page-layout.ts';
import { html, type HtmlMarkup } from './markup.ts';

export interface AccountSwitcher {
  readonly email: string;
  readonly csrfToken: string;
  /** Path to return to after signing in with another account. */
  readonly returnTo: string;
}

/** Shows the signed-in user with a button to sign in with another account. */
export const accountSwitcher = ({
  email,
  csrfToken,
  returnTo,
}: AccountSwitcher): HtmlMarkup => html`<form class="account" method="post" action="/logout">
${hiddenInput('form_token', csrfToken)}
${hiddenInput('return_to', returnTo)}
<span>Signed in as <strong>${email}</strong></span>
<button class="link" type="submit">Use another account</button>
</form>`;
