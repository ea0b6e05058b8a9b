import type { GuestMessages } from '../messages/english.ts';
import { createElement, replacePageContent } from './markup.ts';

/** The page without a connection, for a phone that can open doors over Bluetooth. */
export const showGuestOffline = (messages: GuestMessages, nearby: HTMLElement, onRetry: () => void): void => {
  const retry = createElement('button', { type: 'button', class: 'secondary' }, messages.tryAgain);
  retry.addEventListener('click', onRetry);
  replacePageContent(
    createElement(
      'header',
      {},
      createElement('h1', {}, messages.offlineTitle),
      createElement('p', { class: 'validity', role: 'status' }, messages.offlineNearby),
    ),
    nearby,
    retry,
  );
};
