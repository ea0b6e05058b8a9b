import { html, type HtmlMarkup } from './html-template.ts';
import { renderHiddenInput, renderPageLayout } from './page-layout.ts';

export interface NewPasswordPageProps {
  readonly title: string;
  readonly introduction: HtmlMarkup;
  readonly action: string;
  readonly csrfToken: string;
  readonly email: string;
  readonly button: string;
  /** Names of the user's tokens for scripts, which the page offers to end. */
  readonly scriptTokens?: readonly string[];
  readonly problem?: string | undefined;
}

/** A field for a new password, described by its rule and by the problem of the last attempt. Its page permits scripts. */
export const renderNewPasswordInput = (
  problem: string | undefined,
  autofocus: boolean,
): HtmlMarkup => html`<label for="new_password">New password</label>
<input id="new_password" name="new_password" type="password" autocomplete="new-password" minlength="12" maxlength="1024" required aria-describedby="password_rule${problem === undefined ? null : html` problem`}"${problem === undefined ? null : html` aria-invalid="true"`}${autofocus ? html` autofocus` : null}>
<p class="hint" id="password_rule">At least 12 characters. A sentence is easy to remember and hard to guess.</p>
<p class="choice" hidden><input id="show_password" type="checkbox" data-shows="new_password">
<label for="show_password">Show the password</label></p>
<script src="/login/show-password.js" defer></script>`;

export const renderNewPasswordProblemAlert = (problem: string | undefined): HtmlMarkup | null =>
  problem === undefined ? null : html`<p class="problem" id="problem" role="alert">${problem}</p>`;

/** A script that someone else can read may have leaked with the password. Null without tokens. */
export const renderEndTokensChoice = (scriptTokens: readonly string[], isChecked: boolean): HtmlMarkup | null =>
  scriptTokens.length === 0
    ? null
    : html`<p class="choice"><input id="end_tokens" name="end_tokens" type="checkbox" value="yes"${isChecked ? html` checked` : null}>
<label for="end_tokens">End my tokens for scripts, too: ${scriptTokens.join(', ')}</label></p>
<p class="hint">They work without the password. End them if someone else may have seen the password.</p>`;

/** For accepting an invitation and for resetting a password. */
export const renderNewPasswordPage = (props: NewPasswordPageProps): HtmlMarkup =>
  renderPageLayout(
    props.title,
    html`<h1>${props.title}</h1>
${props.introduction}
${renderNewPasswordProblemAlert(props.problem)}
<form method="post" action="${props.action}">
${renderHiddenInput('form_token', props.csrfToken)}
<label for="email">Email</label>
<input id="email" type="email" value="${props.email}" autocomplete="username" readonly>
${renderNewPasswordInput(props.problem, true)}
${renderEndTokensChoice(props.scriptTokens ?? [], true)}
<button class="primary" type="submit">${props.button}</button>
</form>`,
  );
