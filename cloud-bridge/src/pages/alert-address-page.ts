import { html, type HtmlMarkup } from './html-template.ts';
import { renderHiddenInput, renderPageLayout } from './page-layout.ts';

export interface AlertAddressPageProps {
  readonly organization: string;
  readonly email: string;
  readonly csrfToken: string;
}

const TITLE = 'Receive alerts';

/** For an address that alert rules of an organization want to send to. */
export const renderAlertAddressPage = ({ organization, email, csrfToken }: AlertAddressPageProps): HtmlMarkup =>
  renderPageLayout(
    TITLE,
    html`<h1>${TITLE}</h1>
<p><strong>${organization}</strong> wants to send alerts about its doors to <strong>${email}</strong>.</p>
<form method="post" action="/alert-address">
${renderHiddenInput('form_token', csrfToken)}
<button class="primary" type="submit">Receive these alerts</button>
</form>
<p>If you do not want them, close this page. No alerts are sent.</p>`,
  );
