import { html, type HtmlMarkup } from './html-template.ts';
import { renderHiddenInput } from './page-layout.ts';

export interface PasskeyFormProps {
  readonly action: string;
  readonly csrfToken: string;
  /** Options of the WebAuthn request, as JSON. */
  readonly options: string;
}

/** Hidden until the script has found out that the browser supports passkeys. */
export const renderPasskeyForm = (
  kind: 'create' | 'get',
  { action, csrfToken, options }: PasskeyFormProps,
  fields: HtmlMarkup | null,
  button: string,
): HtmlMarkup => html`<form method="post" action="${action}" data-passkey="${kind}" data-options="${options}" hidden>
${renderHiddenInput('form_token', csrfToken)}
${renderHiddenInput('credential', '')}
${fields}
<button class="secondary" type="submit">${button}</button>
<p class="hint status" role="status"></p>
</form>`;

export const passkeyScript = html`<script src="/login/passkeys.js" defer></script>`;
