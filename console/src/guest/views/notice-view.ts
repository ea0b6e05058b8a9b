import { createHtmlElement, replacePageContent } from './html-elements.ts';

export interface GuestNoticeOptions {
  readonly title: string;
  readonly text?: string;
  readonly contact?: HTMLElement | null;
  readonly buttons?: readonly { readonly label: string; readonly onPress: () => void }[];
}

export const showGuestNotice = ({ title, text, contact = null, buttons = [] }: GuestNoticeOptions): void => {
  const elements = buttons.map(({ label, onPress }, index) => {
    const button = createHtmlElement('button', { type: 'button', class: index === 0 ? 'primary' : 'secondary' }, label);
    button.addEventListener('click', onPress);
    return button;
  });
  replacePageContent(
    createHtmlElement(
      'div',
      { class: 'notice', role: 'status' },
      createHtmlElement('h1', {}, title),
      text === undefined ? null : createHtmlElement('p', {}, text),
      contact,
      ...elements,
    ),
  );
};

export const showGuestLoading = (text: string): void =>
  replacePageContent(
    createHtmlElement(
      'div',
      { class: 'waiting', role: 'status' },
      createHtmlElement('span', { class: 'spinner' }),
      createHtmlElement('span', {}, text),
    ),
  );
