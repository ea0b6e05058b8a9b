import type { GuestAnswer, GuestMembership } from '@lintel/wire-protocol/guest/guest-api';
import type { Language } from './language.ts';
import { el, show } from './markup.ts';
import { siteView } from './site-view.ts';
import { knownZone, whenWords } from './when.ts';

export interface HomeView {
  readonly answer: GuestAnswer;
  readonly chosen: GuestMembership;
  readonly language: Language;
  readonly choose: (memberId: string) => void;
  readonly signOut: () => void;
  /** Told when a door has answered. */
  readonly settled: () => void;
}

const zoneOf = ({ sites }: GuestMembership): string | null => sites[0]?.timezone ?? null;

/** `Hotel Lintel, 3 – 7 June`: two stays in the same house differ in their dates, and the member's name is not for guests. */
const labelOf = (membership: GuestMembership, { tag }: Language): string => {
  const { organization_name, starts_at, ends_at } = membership;
  if (starts_at === null && ends_at === null) return organization_name;
  const format = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', ...knownZone(zoneOf(membership)) });
  const day = (at: string | null): string => (at === null ? '…' : format.format(new Date(at)));
  return `${organization_name}, ${day(starts_at)} – ${day(ends_at)}`;
};

const chooser = ({ answer, chosen, language, choose }: HomeView): HTMLElement | null => {
  if (answer.memberships.length < 2) return null;
  const buttons = answer.memberships.map(membership => {
    const pressed = String(membership.member_id === chosen.member_id);
    const label = labelOf(membership, language);
    const button = el('button', { type: 'button', id: membership.member_id, 'aria-pressed': pressed }, label);
    button.addEventListener('click', () => choose(membership.member_id));
    return button;
  });
  return el('nav', { class: 'chooser', 'aria-label': language.words.yourPlaces }, ...buttons);
};

/** When the stay begins, or else when it ends. */
const validity = ({ answer: { now }, chosen, language }: HomeView): HTMLElement | null => {
  const { starts_at, ends_at } = chosen;
  const { words } = language;
  const wordsAt = (at: string): string => whenWords(language, { at, now, timeZone: zoneOf(chosen) });
  if (starts_at !== null && starts_at > now) return el('p', { class: 'validity' }, words.from(wordsAt(starts_at)));
  return ends_at === null ? null : el('p', { class: 'validity' }, words.until(wordsAt(ends_at)));
};

export const showHome = (view: HomeView): void => {
  const { answer, chosen, language, signOut, settled } = view;
  const { words } = language;
  const leave = el('button', { type: 'button', class: 'link' }, words.signOut);
  leave.addEventListener('click', signOut);
  const sites = chosen.sites.map(site =>
    siteView({ site, memberId: chosen.member_id, now: answer.now, language, settled }),
  );
  const focused = document.activeElement?.id;
  show(
    el('header', {}, el('h1', {}, chosen.organization_name), validity(view), chooser(view)),
    ...sites,
    sites.length === 0 ? el('p', { class: 'empty' }, `${words.noDoors} ${words.askHost}`) : null,
    chosen.has_more ? el('p', { class: 'empty' }, words.tooManyDoors) : null,
    el('footer', {}, leave),
  );
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
};
