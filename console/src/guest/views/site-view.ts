import type { GuestGadget, GuestSite } from '@lintel/wire-protocol/guest/guest-api';
import { renderGuestDoorButton } from './door-button.ts';
import type { GuestLanguage } from '../messages/language.ts';
import { createHtmlElement, createIconElement, type GuestIconName } from './html-elements.ts';
import { formatRelativeDayAndTime } from '../messages/format-time.ts';
import { describeGuestDenial } from '../messages/describe-denial-and-api-error.ts';

export interface GuestSiteViewOptions {
  readonly site: GuestSite;
  readonly memberId: string;
  readonly now: string;
  readonly language: GuestLanguage;
  readonly onSettled: () => void;
}

/** Shows the image of the site over a pattern, which stays when the image does not load. */
const picture = ({ image_url, name }: GuestSite): HTMLElement => {
  const frame = createHtmlElement('div', { class: 'picture' });
  if (image_url !== null) {
    const image = createHtmlElement('img', { src: image_url, alt: '', referrerpolicy: 'no-referrer' });
    image.addEventListener('error', () => image.remove());
    frame.append(image);
  }
  frame.append(createHtmlElement('h2', {}, name));
  return frame;
};

const detailLine = (shape: GuestIconName, label: string, content: Node | string): HTMLElement =>
  createHtmlElement(
    'li',
    {},
    createIconElement(shape),
    createHtmlElement('span', {}, createHtmlElement('span', { class: 'unseen' }, `${label}: `), content),
  );

const details = ({ address, phone, email, info }: GuestSite, { messages }: GuestLanguage): HTMLElement | null => {
  const map = `https://www.openstreetmap.org/search?query=${encodeURIComponent(address ?? '')}`;
  const lines = [
    address
      ? detailLine(
          'place',
          messages.address,
          createHtmlElement('a', { href: map, rel: 'noreferrer', target: '_blank' }, address),
        )
      : null,
    phone
      ? detailLine(
          'phone',
          messages.phone,
          createHtmlElement('a', { href: `tel:${phone.replaceAll(/[^\d+]/g, '')}` }, phone),
        )
      : null,
    email ? detailLine('mail', messages.email, createHtmlElement('a', { href: `mailto:${email}` }, email)) : null,
  ].filter(one => one !== null);
  if (lines.length === 0 && !info) return null;
  return createHtmlElement(
    'div',
    { class: 'details' },
    info ? createHtmlElement('p', { class: 'info' }, info) : null,
    lines.length === 0 ? null : createHtmlElement('ul', {}, ...lines),
  );
};

const doorsOf = (
  gadget: GuestGadget,
  { site, memberId, now, language, onSettled }: GuestSiteViewOptions,
): HTMLElement => {
  const { messages } = language;
  const hintOf = (action: GuestGadget['actions'][number]): string => {
    if (action.needs_location) return messages.onSiteOnly;
    if (action.reason === null) return action.id === 'open' ? messages.open : action.name;
    if (action.reason === 'not_present') return messages.noPlace;
    const { allowed_from } = action;
    const when = allowed_from && formatRelativeDayAndTime(language, { at: allowed_from, now, timeZone: site.timezone });
    return describeGuestDenial(language, action.reason, when);
  };
  const buttons = gadget.actions.map(action => {
    const title = gadget.actions.length === 1 ? gadget.name : action.name;
    return renderGuestDoorButton({
      memberId,
      gadgetId: gadget.id,
      action,
      title,
      hint: hintOf(action),
      language,
      onSettled,
    });
  });
  if (buttons.length === 1) return createHtmlElement('li', {}, ...buttons);
  return createHtmlElement('li', { class: 'several' }, createHtmlElement('h3', {}, gadget.name), ...buttons);
};

/** The doors come before the details, because guests need them first. */
export const createGuestSiteView = (view: GuestSiteViewOptions): HTMLElement =>
  createHtmlElement(
    'section',
    { class: 'site' },
    picture(view.site),
    createHtmlElement('ul', { class: 'doors' }, ...view.site.gadgets.map(gadget => doorsOf(gadget, view))),
    details(view.site, view.language),
  );
