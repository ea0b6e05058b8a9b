import type { GuestMessages } from '../messages/english.ts';
import { createHtmlElement, replacePageContent } from './html-elements.ts';

export interface GuestOfflineOptions {
  readonly messages: GuestMessages;
  readonly text: string;
  /** What the guest can do without a connection. */
  readonly content: readonly (HTMLElement | null)[];
  readonly onRetry: () => void;
}

/** The page without a connection. */
export const showGuestOffline = ({ messages, text, content, onRetry }: GuestOfflineOptions): void => {
  const retry = createHtmlElement('button', { type: 'button', class: 'secondary' }, messages.tryAgain);
  retry.addEventListener('click', onRetry);
  replacePageContent(
    createHtmlElement(
      'header',
      {},
      createHtmlElement('h1', {}, messages.offlineTitle),
      createHtmlElement('p', { class: 'validity', role: 'status' }, text),
    ),
    ...content,
    retry,
  );
};
