import { renderAccountSwitcher, type AccountSwitcherProps } from './account-switcher.ts';
import { renderPageLayout, renderHiddenInput } from './page-layout.ts';
import { nameRole } from './role-names.ts';
import { html, type HtmlMarkup } from './html-template.ts';

interface Choice {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  /** Why the organization cannot be selected; null if it can. */
  readonly disabledReason: string | null;
}

export interface OrganizationChoicePageProps {
  readonly application: string;
  readonly choices: readonly Choice[];
  /** The authorization request, passed on to the next page. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly problem?: string | undefined;
  readonly account: AccountSwitcherProps;
}

const choice = ({ id, name, role, disabledReason }: Choice, isFirst: boolean): HtmlMarkup => html`<label class="choice">
<input type="radio" name="organization_id" value="${id}" required${disabledReason === null ? null : html` disabled`}${isFirst ? html` checked` : null}>
<span><strong>${name}</strong><small>${disabledReason ?? `Your role: ${nameRole(role)}`}</small></span>
</label>`;

export const renderOrganizationChoicePage = ({
  application,
  choices,
  parameters,
  problem,
  account,
}: OrganizationChoicePageProps): HtmlMarkup => {
  const first = choices.find(({ disabledReason }) => disabledReason === null);
  return renderPageLayout(
    'Choose an organization',
    html`<h1>Choose an organization</h1>
<p><strong>${application}</strong> gets access only to this organization.</p>
${problem === undefined ? null : html`<p class="problem" role="alert">${problem}</p>`}
<form method="get" action="/oauth2/auth">
${Object.entries(parameters).map(([name, value]) => renderHiddenInput(name, value))}
<fieldset>
<legend class="visually-hidden">Organization</legend>
${choices.map(option => choice(option, option === first))}
</fieldset>
<button class="primary" type="submit">Continue</button>
</form>
${renderAccountSwitcher(account)}`,
  );
};
