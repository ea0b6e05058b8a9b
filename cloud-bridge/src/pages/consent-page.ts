import { accountLine, type AccountLine } from './account-line.ts';
import { frame, hidden } from './frame.ts';
import { html, type Markup } from './markup.ts';

export interface ConsentPage {
  readonly application: string;
  readonly organization: { readonly id: string; readonly name: string };
  readonly scopes: readonly string[];
  /** Where the person is sent afterwards, as they would recognise it. */
  readonly destination: string;
  readonly action: string;
  readonly formToken: string;
  /** To choose another organization, when there is one. */
  readonly otherOrganizations: string | null;
  readonly account: AccountLine;
}

const symbols = {
  change: html`<path d="M4 20h4L19 9l-4-4L4 16z"/><path d="m13.5 6.5 4 4"/>`,
  see: html`<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z"/><circle cx="12" cy="12" r="3"/>`,
  open: html`<path d="M6 21V4.5L15 3v18zM3 21h18M15 5h3v16"/><path d="M12 12v1"/>`,
  time: html`<circle cx="12" cy="12" r="8.5"/><path d="M12 7v5.2l3.3 2"/>`,
} as const;

const item = (symbol: keyof typeof symbols, title: string, more: string): Markup => html`<li>
<svg viewBox="0 0 24 24" aria-hidden="true">${symbols[symbol]}</svg>
<span><strong>${title}</strong><small>${more}</small></span>
</li>`;

/** The scopes in the words of somebody who runs a house, not of somebody who wrote the specification. */
const consequences = (scopes: readonly string[]): Markup[] => {
  const duration = scopes.includes('offline')
    ? item('time', 'Keep this access', 'Until you take it back, also while nobody is logged in.')
    : item('time', 'Keep this access for one hour', 'After that it has to ask again.');
  if (!scopes.includes('full_read_write')) {
    return [
      item('see', 'See everything', 'Members, doors, schedules, and who opened what and when. It can change nothing.'),
      duration,
    ];
  }
  return [
    item('see', 'See everything', 'Members with their PINs and cards, doors, and who opened what and when.'),
    item('change', 'Change everything', 'Members, PINs, cards, groups and schedules, as an administrator can.'),
    item('open', 'Open doors', 'At once, from anywhere.'),
    duration,
  ];
};

const initial = (name: string): string => (/\S/u.exec(name)?.[0] ?? '?').toUpperCase();

export const consentPage = (page: ConsentPage): Markup => {
  const { application, organization, scopes, destination, action, formToken, otherOrganizations, account } = page;
  return frame(
    `Allow ${application}`,
    html`<p class="pair" aria-hidden="true"><span class="badge">${initial(application)}</span><span class="line"></span><span class="badge house">${initial(organization.name)}</span></p>
<h1><span class="name">${application}</span> asks for access to <span class="name">${organization.name}</span></h1>
${otherOrganizations === null ? null : html`<p class="aside"><a href="${otherOrganizations}">Choose another organization</a></p>`}
<p>If you allow it, it can:</p>
<ul class="consequences">
${consequences(scopes)}
</ul>
<form method="post" action="${action}">
${hidden('form_token', formToken)}
${hidden('organization_id', organization.id)}
<p class="buttons">
<button class="primary" type="submit" name="decision" value="allow">Allow</button>
<button class="secondary" type="submit" name="decision" value="deny">Deny</button>
</p>
</form>
<p class="aside">Either way you go back to <strong>${destination}</strong>. Allow only what you expected to see here.</p>
${accountLine(account)}`,
  );
};
