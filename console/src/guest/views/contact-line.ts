import type { GuestContact } from '@lintel/wire-protocol/guest/guest-api';
import type { GuestMessages } from '../messages/english.ts';
import { createHtmlElement, createIconElement } from './html-elements.ts';

/** Whom to call, in every state of the page. */
export const createContactLine = (
  { callForHelp, contactForHelp }: GuestMessages,
  contact: GuestContact | null,
): HTMLElement | null => {
  if (contact === null) return null;
  const { name, phone } = contact;
  if (phone === null) return createHtmlElement('p', { class: 'contact' }, contactForHelp(name));
  return createHtmlElement(
    'p',
    { class: 'contact' },
    createIconElement('phone'),
    createHtmlElement('span', {}, callForHelp(name)),
    createHtmlElement('a', { href: `tel:${phone.replaceAll(/[^\d+]/g, '')}` }, phone),
  );
};
