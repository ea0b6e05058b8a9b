import { hidden } from './frame.ts';
import { html, type Markup } from './markup.ts';

export interface AccountLine {
  readonly email: string;
  readonly formToken: string;
  /** Where the next account comes back to. */
  readonly returnTo: string;
}

/** Who is deciding here, and the way out for somebody else. */
export const accountLine = ({
  email,
  formToken,
  returnTo,
}: AccountLine): Markup => html`<form class="account" method="post" action="/logout">
${hidden('form_token', formToken)}
${hidden('return_to', returnTo)}
<span>Logged in as <strong>${email}</strong></span>
<button class="link" type="submit">Use another account</button>
</form>`;
