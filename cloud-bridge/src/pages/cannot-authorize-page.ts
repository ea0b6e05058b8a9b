import { renderAccountSwitcher, type AccountSwitcherProps } from './account-switcher.ts';
import { renderPageLayout, renderHiddenInput } from './page-layout.ts';
import { html, type HtmlMarkup } from './html-template.ts';

export interface CannotAuthorizePageProps {
  readonly application: string;
  readonly reason: string;
  readonly destination: string;
  readonly action: string;
  readonly csrfToken: string;
  readonly account: AccountSwitcherProps;
}

/** Shown to a signed-in user whose role does not permit the consent. */
export const renderCannotAuthorizePage = (page: CannotAuthorizePageProps): HtmlMarkup =>
  renderPageLayout(
    'You cannot allow this',
    html`<h1>You cannot allow this</h1>
<p role="alert">${page.reason}</p>
<p>Ask an administrator of the organization to connect <strong>${page.application}</strong>.</p>
<form method="post" action="${page.action}">
${renderHiddenInput('form_token', page.csrfToken)}
<button class="secondary" type="submit" name="decision" value="deny">Back to ${page.destination}</button>
</form>
${renderAccountSwitcher(page.account)}`,
  );
