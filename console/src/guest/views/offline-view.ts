import type { GuestMessages } from '../messages/english.ts';
import { createHtmlElement, replacePageContent } from './html-elements.ts';

/** The page without a connection, for a phone that can open doors over Bluetooth. */
export const showGuestOffline = (messages: GuestMessages, nearby: HTMLElement, onRetry: () => void): void => {
  const retry = createHtmlElement('button', { type: 'button', class: 'secondary' }, messages.tryAgain);
  retry.addEventListener('click', onRetry);
  replacePageContent(
    createHtmlElement(
      'header',
      {},
      createHtmlElement('h1', {}, messages.offlineTitle),
      createHtmlElement('p', { class: 'validity', role: 'status' }, messages.offlineNearby),
    ),
    nearby,
    retry,
  );
};
