import type { GuestGadget, GuestSite } from '@lintel/wire-protocol/guest/guest-api';
import { doorButton } from './door-button.ts';
import type { Language } from '../messages/language.ts';
import { el, icon, type Shape } from './markup.ts';
import { formatWhen } from '../messages/format-time.ts';
import { denialMessage } from '../messages/describe-error.ts';

export interface SiteView {
  readonly site: GuestSite;
  readonly memberId: string;
  readonly now: string;
  readonly language: Language;
  readonly onSettled: () => void;
}

/** Shows the image of the site over a pattern, which stays when the image does not load. */
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

const detailLine = (shape: Shape, label: string, content: Node | string): HTMLElement =>
  el('li', {}, icon(shape), el('span', {}, el('span', { class: 'unseen' }, `${label}: `), content));

const details = ({ address, phone, email, info }: GuestSite, { messages }: Language): HTMLElement | null => {
  const map = `https://www.openstreetmap.org/search?query=${encodeURIComponent(address ?? '')}`;
  const lines = [
    address
      ? detailLine('place', messages.address, el('a', { href: map, rel: 'noreferrer', target: '_blank' }, address))
      : null,
    phone
      ? detailLine('phone', messages.phone, el('a', { href: `tel:${phone.replaceAll(/[^\d+]/g, '')}` }, phone))
      : null,
    email ? detailLine('mail', messages.email, el('a', { href: `mailto:${email}` }, email)) : null,
  ].filter(one => one !== null);
  if (lines.length === 0 && !info) return null;
  return el(
    'div',
    { class: 'details' },
    info ? el('p', { class: 'info' }, info) : null,
    lines.length === 0 ? null : el('ul', {}, ...lines),
  );
};

const doorsOf = (gadget: GuestGadget, { site, memberId, now, language, onSettled }: SiteView): HTMLElement => {
  const { messages } = language;
  const hintOf = (action: GuestGadget['actions'][number]): string => {
    if (action.needs_location) return messages.onSiteOnly;
    if (action.reason === null) return action.id === 'open' ? messages.open : action.name;
    if (action.reason === 'not_present') return messages.noPlace;
    const { allowed_from } = action;
    const when = allowed_from && formatWhen(language, { at: allowed_from, now, timeZone: site.timezone });
    return denialMessage(language, action.reason, when);
  };
  const buttons = gadget.actions.map(action => {
    const title = gadget.actions.length === 1 ? gadget.name : action.name;
    return doorButton({ memberId, gadgetId: gadget.id, action, title, hint: hintOf(action), language, onSettled });
  });
  if (buttons.length === 1) return el('li', {}, ...buttons);
  return el('li', { class: 'several' }, el('h3', {}, gadget.name), ...buttons);
};

/** The doors come before the details, because guests need them first. */
export const siteView = (view: SiteView): HTMLElement =>
  el(
    'section',
    { class: 'site' },
    picture(view.site),
    el('ul', { class: 'doors' }, ...view.site.gadgets.map(gadget => doorsOf(gadget, view))),
    details(view.site, view.language),
  );
