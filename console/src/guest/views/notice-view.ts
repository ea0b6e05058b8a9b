import { createElement, replacePageContent } from './markup.ts';

export interface GuestNoticeOptions {
  readonly title: string;
  readonly text?: string;
  readonly buttons?: readonly { readonly label: string; readonly onPress: () => void }[];
}

export const showGuestNotice = ({ title, text, buttons = [] }: GuestNoticeOptions): void => {
  const elements = buttons.map(({ label, onPress }, index) => {
    const button = createElement('button', { type: 'button', class: index === 0 ? 'primary' : 'secondary' }, label);
    button.addEventListener('click', onPress);
    return button;
  });
  replacePageContent(
    createElement(
      'div',
      { class: 'notice', role: 'status' },
      createElement('h1', {}, title),
      text === undefined ? null : createElement('p', {}, text),
      ...elements,
    ),
  );
};

export const showGuestLoading = (text: string): void =>
  replacePageContent(
    createElement(
      'div',
      { class: 'waiting', role: 'status' },
      createElement('span', { class: 'spinner' }),
      createElement('span', {}, text),
    ),
  );
