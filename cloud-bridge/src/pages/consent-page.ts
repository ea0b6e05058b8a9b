import { renderAccountSwitcher, type AccountSwitcherProps } from './account-switcher.ts';
import { renderPageLayout, renderHiddenInput } from './page-layout.ts';
import { html, type HtmlMarkup } from './html-template.ts';

export interface ConsentPageProps {
  readonly application: string;
  readonly organization: { readonly id: string; readonly name: string };
  readonly scopes: readonly string[];
  /** Host of the redirect URI, or its scheme for an installed application. */
  readonly destination: string;
  readonly action: string;
  readonly csrfToken: string;
  /** Link to choose another organization; null if there is none. */
  readonly organizationChoiceUrl: string | null;
  readonly account: AccountSwitcherProps;
}

const symbols = {
  change: html`<path d="M4 20h4L19 9l-4-4L4 16z"/><path d="m13.5 6.5 4 4"/>`,
  see: html`<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z"/><circle cx="12" cy="12" r="3"/>`,
  open: html`<path d="M6 21V4.5L15 3v18zM3 21h18M15 5h3v16"/><path d="M12 12v1"/>`,
  cannot: html`<circle cx="12" cy="12" r="8.5"/><path d="m6 6 12 12"/>`,
  time: html`<circle cx="12" cy="12" r="8.5"/><path d="M12 7v5.2l3.3 2"/>`,
} as const;

const item = (symbol: keyof typeof symbols, title: string, detail: string): HtmlMarkup => html`<li>
<svg viewBox="0 0 24 24" aria-hidden="true">${symbols[symbol]}</svg>
<span><strong>${title}</strong><small>${detail}</small></span>
</li>`;

/** The effects of the scopes, in terms that an administrator understands. */
const consequences = (scopes: readonly string[]): HtmlMarkup[] => {
  const duration = scopes.includes('offline')
    ? item(
        'time',
        'Keep this access',
        'Until you revoke it or it is not used for 90 days, even while you are signed out.',
      )
    : item('time', 'Keep this access for one hour', 'After that, it must ask again.');
  if (!scopes.includes('full_read_write')) {
    return [
      item(
        'see',
        'See everything except PINs',
        'Members, users, doors, schedules, and who opened which door and when. It cannot change anything.',
      ),
      duration,
    ];
  }
  return [
    item(
      'see',
      'See everything',
      'Members with their PINs and cards, users, doors, and who opened which door and when.',
    ),
    item(
      'change',
      'Change and delete',
      'Members, PINs, cards, groups, schedules, doors, controllers, what keypads do, and alerts.',
    ),
    item('open', 'Open doors', 'Immediately, from anywhere, if this organization has the feature for it.'),
    duration,
  ];
};

/** Holds for every application, see `permissionsClosedToApplications`. */
const impossible: HtmlMarkup = item(
  'cannot',
  'It can never decide who is trusted',
  'It cannot add or change administrators and other users, change other applications, create tokens, add controllers, issue technician passes or install updates.',
);

const initial = (name: string): string => (/\S/u.exec(name)?.[0] ?? '?').toUpperCase();

export const renderConsentPage = (page: ConsentPageProps): HtmlMarkup => {
  const { application, organization, scopes, destination, action, csrfToken, organizationChoiceUrl, account } = page;
  return renderPageLayout(
    `Allow ${application}`,
    html`<p class="pair" aria-hidden="true"><span class="badge">${initial(application)}</span><span class="connector"></span><span class="badge organization">${initial(organization.name)}</span></p>
<h1><span class="name">${application}</span> requests access to <span class="name">${organization.name}</span></h1>
${organizationChoiceUrl === null ? null : html`<p class="aside"><a href="${organizationChoiceUrl}">Choose another organization</a></p>`}
<p>If you allow this, it can:</p>
<ul class="consequences">
${consequences(scopes)}
${scopes.includes('full_read_write') ? impossible : null}
</ul>
<form method="post" action="${action}">
${renderHiddenInput('form_token', csrfToken)}
${renderHiddenInput('organization_id', organization.id)}
<p class="buttons">
<button class="primary" type="submit" name="decision" value="allow">Allow</button>
<button class="secondary" type="submit" name="decision" value="deny">Deny</button>
</p>
</form>
<p class="aside">Either way, you return to <strong>${destination}</strong>. Allow this only if you expected this request.</p>
${renderAccountSwitcher(account)}`,
  );
};
