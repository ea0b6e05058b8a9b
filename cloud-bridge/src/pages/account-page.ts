import { html, type HtmlMarkup } from './html-template.ts';
import { renderEndTokensChoice, renderNewPasswordInput, renderNewPasswordProblemAlert } from './new-password-page.ts';
import { renderHiddenInput, renderPageLayout } from './page-layout.ts';
import { nameRole } from './role-names.ts';
import { renderPasskeyForm, passkeyScript } from './passkey-form.ts';

interface AccountSession {
  readonly id: string;
  readonly client: string;
  readonly ipAddress: string | null;
  /** ISO 8601. */
  readonly lastUsedAt: string;
  readonly isCurrent: boolean;
}

interface AccountPasskey {
  readonly id: string;
  readonly name: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface AccountPageProps {
  readonly csrfToken: string;
  readonly email: string;
  /** Of the sites of the user; null if none has one. */
  readonly timeZone: string | null;
  readonly organizations: readonly { readonly name: string; readonly role: string }[];
  readonly sessions: readonly AccountSession[];
  readonly passkeys: readonly AccountPasskey[];
  /** Options for adding a passkey, as JSON; null if this bridge cannot offer passkeys. */
  readonly passkeyOptions: string | null;
  /** Names of the user's tokens for scripts. */
  readonly scriptTokens: readonly string[];
  readonly notice?: string | undefined;
  readonly problem?: string | undefined;
}

const timeOf = (isoTime: string, timeZone: string | null): HtmlMarkup => {
  const zone = timeZone ?? 'UTC';
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: zone });
  return html`<time datetime="${isoTime}">${format.format(new Date(isoTime))} (${zone})</time>`;
};

const sessionItem = (
  { id, client, ipAddress, lastUsedAt, isCurrent }: AccountSession,
  csrfToken: string,
  timeZone: string | null,
): HtmlMarkup => html`<li>
<span><strong>${client}</strong><small>${ipAddress ?? 'Unknown address'} · ${timeOf(lastUsedAt, timeZone)}</small></span>
${
  isCurrent
    ? html`<small>This browser</small>`
    : html`<form method="post" action="/account/sessions/end">
${renderHiddenInput('form_token', csrfToken)}
${renderHiddenInput('session_id', id)}
<button class="link" type="submit">End</button>
</form>`
}
</li>`;

const passkeyItem = (
  { id, name, createdAt }: AccountPasskey,
  csrfToken: string,
  timeZone: string | null,
): HtmlMarkup => html`<li>
<span><strong>${name}</strong><small>Added ${timeOf(createdAt, timeZone)}</small></span>
<form method="post" action="/account/passkeys/remove">
${renderHiddenInput('form_token', csrfToken)}
${renderHiddenInput('passkey_id', id)}
<button class="link" type="submit">Remove</button>
</form>
</li>`;

/** Tells password managers which account the password belongs to. */
const usernameField = (email: string): HtmlMarkup =>
  html`<input type="text" value="${email}" autocomplete="username" readonly hidden>`;

const confirmPassword = (email: string): HtmlMarkup => html`${usernameField(email)}
<label for="passkey_password">Current password</label>
<input id="passkey_password" name="current_password" type="password" autocomplete="current-password" maxlength="1024" required>`;

const passkeySection = ({
  email,
  passkeys,
  passkeyOptions,
  csrfToken,
  timeZone,
}: AccountPageProps): HtmlMarkup | null => {
  if (passkeyOptions === null && passkeys.length === 0) return null;
  return html`<section>
<h2>Passkeys</h2>
<p>A passkey signs you in with the fingerprint, face or PIN of your device instead of the password.</p>
${
  passkeys.length === 0
    ? null
    : html`<ul class="entries">
${passkeys.map(passkey => passkeyItem(passkey, csrfToken, timeZone))}
</ul>`
}
${
  passkeyOptions === null
    ? null
    : html`${renderPasskeyForm('create', { action: '/account/passkeys', csrfToken, options: passkeyOptions }, confirmPassword(email), 'Add a passkey')}
<noscript><p class="aside">Adding a passkey requires JavaScript.</p></noscript>
${passkeyScript}`
}
</section>`;
};

/** The user's own account: organizations, password, passkeys and sessions. */
export const renderAccountPage = (props: AccountPageProps): HtmlMarkup =>
  renderPageLayout(
    'Your account',
    html`<h1>Your account</h1>
<p>You are signed in as <strong>${props.email}</strong>. <a href="/">Open the console</a></p>
${props.notice === undefined ? null : html`<p class="notice" role="status">${props.notice}</p>`}
<section>
<h2>Organizations</h2>
<ul class="entries">
${props.organizations.map(({ name, role }) => html`<li><span><strong>${name}</strong><small>Your role: ${nameRole(role)}</small></span></li>`)}
</ul>
</section>
<section>
<h2>Change password</h2>
${renderNewPasswordProblemAlert(props.problem)}
<form method="post" action="/account/password">
${renderHiddenInput('form_token', props.csrfToken)}
${usernameField(props.email)}
<label for="current_password">Current password</label>
<input id="current_password" name="current_password" type="password" autocomplete="current-password" maxlength="1024" required>
${renderNewPasswordInput(props.problem, false)}
${renderEndTokensChoice(props.scriptTokens, false)}
<button class="primary" type="submit">Change password</button>
</form>
</section>
${passkeySection(props)}
<section>
<h2>Sessions</h2>
<ul class="entries">
${props.sessions.map(session => sessionItem(session, props.csrfToken, props.timeZone))}
</ul>
</section>
<form method="post" action="/logout">
${renderHiddenInput('form_token', props.csrfToken)}
<button class="secondary" type="submit">Sign out</button>
</form>`,
  );
