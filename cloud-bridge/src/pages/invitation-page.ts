import { renderAccountSwitcher, type AccountSwitcherProps } from './account-switcher.ts';
import { html, type HtmlMarkup } from './html-template.ts';
import { renderHiddenInput, renderPageLayout } from './page-layout.ts';

export interface JoinPageProps {
  readonly organization: string;
  readonly email: string;
  readonly csrfToken: string;
}

const joinTitle = (organization: string): string => `Join ${organization}`;

/** For a signed-in user who is invited to another organization. */
export const renderJoinPage = ({ organization, email, csrfToken }: JoinPageProps): HtmlMarkup =>
  renderPageLayout(
    joinTitle(organization),
    html`<h1>${joinTitle(organization)}</h1>
<p>You are invited to manage <strong>${organization}</strong> with your account <strong>${email}</strong>.</p>
<form method="post" action="/invitation">
${renderHiddenInput('form_token', csrfToken)}
<button class="primary" type="submit">Accept the invitation</button>
</form>`,
  );

export interface SignInToJoinPageProps {
  readonly organization: string;
  readonly email: string;
  /** Path to return to after signing in. */
  readonly returnTo: string;
  /** The signed-in user, who is not the invited one; null if nobody is signed in. */
  readonly account: AccountSwitcherProps | null;
}

/** For an invited address that already has an account. */
export const renderSignInToJoinPage = ({ organization, email, returnTo, account }: SignInToJoinPageProps): HtmlMarkup =>
  renderPageLayout(
    joinTitle(organization),
    html`<h1>${joinTitle(organization)}</h1>
<p>The invitation is for <strong>${email}</strong>, which already has an account. Sign in with it to accept.</p>
${
  account === null
    ? html`<p><a class="primary" href="/login?${new URLSearchParams({ return_to: returnTo }).toString()}">Sign in</a></p>`
    : renderAccountSwitcher(account)
}`,
  );
