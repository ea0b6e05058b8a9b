import { html, type HtmlMarkup } from './html-template.ts';
import { renderNewPasswordProblemAlert } from './new-password-page.ts';
import { renderHiddenInput, renderPageLayout } from './page-layout.ts';

export interface ForgotPasswordPageProps {
  readonly csrfToken: string;
  readonly problem?: string | undefined;
}

const backLink = html`<p><a href="/login">Back to sign in</a></p>`;

export const renderForgotPasswordPage = ({ csrfToken, problem }: ForgotPasswordPageProps): HtmlMarkup =>
  renderPageLayout(
    'Forgot password?',
    html`<h1>Forgot password?</h1>
<p>Enter your email address. We will send you a link to choose a new password.</p>
${renderNewPasswordProblemAlert(problem)}
<form method="post" action="/forgot-password">
${renderHiddenInput('form_token', csrfToken)}
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required autofocus>
<button class="primary" type="submit">Send the link</button>
</form>
${backLink}`,
  );

/** The same for every address. */
export const renderPasswordResetRequestedPage = (): HtmlMarkup =>
  renderPageLayout(
    'Check your email',
    html`<h1>Check your email</h1>
<p role="status">If the address has an account, a link to choose a new password is on its way. It is valid for one hour.</p>
${backLink}`,
  );

/** For a bridge that cannot send mail. */
export const renderPasswordResetByOperatorPage = (): HtmlMarkup =>
  renderPageLayout(
    'Forgot password?',
    html`<h1>Forgot password?</h1>
<p>This server does not send email. Ask its operator for a link: the command is <code>lintel user reset-password</code>.</p>
${backLink}`,
  );
