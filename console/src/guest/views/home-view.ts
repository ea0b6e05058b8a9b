import type { GuestMeResponse, GuestMembership } from '@lintel/wire-protocol/guest/guest-api';
import { createSiteTime } from '../../components/texts/site-time.ts';
import type { GuestLanguage } from '../messages/language.ts';
import { createContactLine } from './contact-line.ts';
import { createHtmlElement, replacePageContent } from './html-elements.ts';
import { createGuestSiteView } from './site-view.ts';
import { formatRelativeDayAndTime } from '../messages/format-time.ts';

export interface GuestHomeViewOptions {
  readonly guest: GuestMeResponse;
  readonly selected: GuestMembership;
  readonly language: GuestLanguage;
  readonly nearby: { readonly element: HTMLElement; readonly hasBluetooth: boolean };
  /** What to type at the doors; null if there is nothing to show. */
  readonly codeCard: HTMLElement | null;
  readonly onChoose: (memberId: string) => void;
  readonly onSignOut: () => void;
  /** Called after each action. */
  readonly onSettled: () => void;
}

const zoneOf = ({ sites }: GuestMembership): string | null => sites[0]?.timezone ?? null;

/** `Hotel Lintel, 3 – 7 June`: two stays at the same organization differ in their dates. */
const labelOf = (membership: GuestMembership, { tag }: GuestLanguage): string => {
  const { organization_name, starts_at, ends_at } = membership;
  if (starts_at === null && ends_at === null) return organization_name;
  const { format } = createSiteTime(tag, zoneOf(membership));
  const day = (at: string | null): string =>
    at === null ? '…' : format({ day: 'numeric', month: 'short' }, new Date(at));
  return `${organization_name}, ${day(starts_at)} – ${day(ends_at)}`;
};

const membershipChooser = ({ guest, selected, language, onChoose }: GuestHomeViewOptions): HTMLElement | null => {
  if (guest.memberships.length < 2) return null;
  const buttons = guest.memberships.map(membership => {
    const pressed = String(membership.member_id === selected.member_id);
    const label = labelOf(membership, language);
    const button = createHtmlElement(
      'button',
      { type: 'button', id: membership.member_id, 'aria-pressed': pressed },
      label,
    );
    button.addEventListener('click', () => onChoose(membership.member_id));
    return button;
  });
  return createHtmlElement(
    'nav',
    { class: 'membership-chooser', 'aria-label': language.messages.yourPlaces },
    ...buttons,
  );
};

const validity = ({ guest: { now }, selected, language }: GuestHomeViewOptions): HTMLElement | null => {
  const { starts_at, ends_at } = selected;
  const { messages } = language;
  const textAt = (at: string): string => formatRelativeDayAndTime(language, { at, now, timeZone: zoneOf(selected) });
  if (starts_at !== null && starts_at > now)
    return createHtmlElement('p', { class: 'validity' }, messages.from(textAt(starts_at)));
  return ends_at === null ? null : createHtmlElement('p', { class: 'validity' }, messages.until(textAt(ends_at)));
};

export const showGuestHome = (view: GuestHomeViewOptions): void => {
  const { guest, selected, language, nearby, codeCard, onSignOut, onSettled } = view;
  const { messages } = language;
  const signOutButton = createHtmlElement('button', { type: 'button', class: 'link' }, messages.signOut);
  signOutButton.addEventListener('click', onSignOut);
  const sites = selected.sites.map(site =>
    createGuestSiteView({ site, memberId: selected.member_id, now: guest.now, language, onSettled }),
  );
  const focused = document.activeElement?.id;
  replacePageContent(
    createHtmlElement(
      'header',
      {},
      createHtmlElement('h1', {}, selected.organization_name),
      validity(view),
      membershipChooser(view),
    ),
    nearby.hasBluetooth ? nearby.element : null,
    ...sites,
    codeCard,
    sites.length === 0 ? createHtmlElement('p', { class: 'empty' }, `${messages.noDoors} ${messages.askHost}`) : null,
    selected.has_more ? createHtmlElement('p', { class: 'empty' }, messages.tooManyDoors) : null,
    nearby.hasBluetooth ? null : nearby.element,
    createHtmlElement('footer', {}, createContactLine(messages, selected.contact), signOutButton),
  );
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
};
