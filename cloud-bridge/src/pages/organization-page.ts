import { accountLine, type AccountLine } from './account-line.ts';
import { frame, hidden } from './frame.ts';
import { html, type Markup } from './markup.ts';

interface Choice {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  /** Why it cannot be chosen. */
  readonly obstacle: string | null;
}

export interface OrganizationPage {
  readonly application: string;
  readonly choices: readonly Choice[];
  /** The authorization request, carried on to the next page. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly problem?: string | undefined;
  readonly account: AccountLine;
}

const choice = ({ id, name, role, obstacle }: Choice, isFirst: boolean): Markup => html`<label class="choice">
<input type="radio" name="organization_id" value="${id}" required${obstacle === null ? null : html` disabled`}${isFirst ? html` checked` : null}>
<span><strong>${name}</strong><small>${obstacle ?? `You are ${role} here`}</small></span>
</label>`;

export const organizationPage = ({ application, choices, parameters, problem, account }: OrganizationPage): Markup => {
  const first = choices.find(({ obstacle }) => obstacle === null);
  return frame(
    'Choose an organization',
    html`<h1>Choose an organization</h1>
<p><strong>${application}</strong> will work with this one only.</p>
${problem === undefined ? null : html`<p class="problem" role="alert">${problem}</p>`}
<form method="get" action="/oauth2/auth">
${Object.entries(parameters).map(([name, value]) => hidden(name, value))}
<fieldset>
<legend class="unseen">Organization</legend>
${choices.map(one => choice(one, one === first))}
</fieldset>
<button class="primary" type="submit">Continue</button>
</form>
${accountLine(account)}`,
  );
};
