import { accountLine, type AccountLine } from './account-line.ts';
import { frame, hidden } from './frame.ts';
import { html, type Markup } from './markup.ts';

export interface NoOrganizationPage {
  readonly application: string;
  readonly why: string;
  readonly destination: string;
  readonly action: string;
  readonly formToken: string;
  readonly account: AccountLine;
}

/** The person is who they are, and that is not enough. */
export const noOrganizationPage = (page: NoOrganizationPage): Markup =>
  frame(
    'You cannot allow this',
    html`<h1>You cannot allow this</h1>
<p role="alert">${page.why}</p>
<p>Ask somebody who administers the organization to connect <strong>${page.application}</strong>.</p>
<form method="post" action="${page.action}">
${hidden('form_token', page.formToken)}
<button class="secondary" type="submit" name="decision" value="deny">Back to ${page.destination}</button>
</form>
${accountLine(page.account)}`,
  );
