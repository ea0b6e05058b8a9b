import { renderHiddenInput } from './page-layout.ts';
import { html, type HtmlMarkup } from './html-template.ts';

export interface AccountSwitcherProps {
  readonly email: string;
  readonly csrfToken: string;
  /** Path to return to after signing in with another account. */
  readonly returnTo: string;
}

/** Shows the signed-in user with a button to sign in with another account. */
export const renderAccountSwitcher = ({
  email,
  csrfToken,
  returnTo,
}: AccountSwitcherProps): HtmlMarkup => html`<form class="account" method="post" action="/logout">
${renderHiddenInput('form_token', csrfToken)}
${renderHiddenInput('return_to', returnTo)}
<span>Signed in as <strong>${email}</strong></span>
<button class="link" type="submit">Use another account</button>
</form>`;
