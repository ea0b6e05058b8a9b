import type { GuestGadget, GuestSite } from '@lintel/wire-protocol/guest/guest-api';
import { doorButton } from './door-button.ts';
import type { Language } from './language.ts';
import { el, icon, type Shape } from './markup.ts';
import { whenWords } from './when.ts';
import { reasonWords } from './why-not.ts';

export interface SiteView {
  readonly site: GuestSite;
  readonly memberId: string;
  readonly now: string;
  readonly language: Language;
  readonly settled: () => void;
}

/** A site's own picture, or a quiet pattern where there is none or it does not load. */
const picture = ({ image_url, name }: GuestSite): HTMLElement => {
  const frame = el('div', { class: 'picture' });
  if (image_url !== null) {
    const image = el('img', { src: image_url, alt: '', referrerpolicy: 'no-referrer' });
    image.addEventListener('error', () => image.remove());
    frame.append(image);
  }
  frame.append(el('h2', {}, name));
  return frame;
};

const line = (shape: Shape, label: string, content: Node | string): HTMLElement =>
  el('li', {}, icon(shape), el('span', {}, el('span', { class: 'unseen' }, `${label}: `), content));

const details = ({ address, phone, email, info }: GuestSite, { words }: Language): HTMLElement | null => {
  const map = `https://www.openstreetmap.org/search?query=${encodeURIComponent(address ?? '')}`;
  const lines = [
    address ? line('place', words.address, el('a', { href: map, rel: 'noreferrer', target: '_blank' }, address)) : null,
    phone ? line('phone', words.phone, el('a', { href: `tel:${phone.replaceAll(/[^\d+]/g, '')}` }, phone)) : null,
    email ? line('mail', words.email, el('a', { href: `mailto:${email}` }, email)) : null,
  ].filter(one => one !== null);
  if (lines.length === 0 && !info) return null;
  return el(
    'div',
    { class: 'details' },
    info ? el('p', { class: 'info' }, info) : null,
    lines.length === 0 ? null : el('ul', {}, ...lines),
  );
};

const doorsOf = (gadget: GuestGadget, { site, memberId, now, language, settled }: SiteView): HTMLElement => {
  const { words } = language;
  const hintOf = (action: GuestGadget['actions'][number]): string => {
    if (action.needs_location) return words.onSiteOnly;
    if (action.reason === null) return action.id === 'open' ? words.open : action.name;
    if (action.reason === 'not_present') return words.noPlace;
    const { allowed_from } = action;
    const when = allowed_from && whenWords(language, { at: allowed_from, now, timeZone: site.timezone });
    return reasonWords(language, action.reason, when);
  };
  const buttons = gadget.actions.map(action => {
    const title = gadget.actions.length === 1 ? gadget.name : action.name;
    return doorButton({ memberId, gadgetId: gadget.id, action, title, hint: hintOf(action), language, settled });
  });
  if (buttons.length === 1) return el('li', {}, ...buttons);
  return el('li', { class: 'several' }, el('h3', {}, gadget.name), ...buttons);
};

/** The doors come right below the picture: whoever stands in front of one reads the rest later. */
export const siteView = (view: SiteView): HTMLElement =>
  el(
    'section',
    { class: 'site' },
    picture(view.site),
    el('ul', { class: 'doors' }, ...view.site.gadgets.map(gadget => doorsOf(gadget, view))),
    details(view.site, view.language),
  );
