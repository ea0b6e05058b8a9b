import { el, show } from './markup.ts';

export interface Notice {
  readonly title: string;
  readonly text?: string;
  readonly buttons?: readonly { readonly label: string; readonly onPress: () => void }[];
}

export const showNotice = ({ title, text, buttons = [] }: Notice): void => {
  const elements = buttons.map(({ label, onPress }, index) => {
    const button = el('button', { type: 'button', class: index === 0 ? 'primary' : 'secondary' }, label);
    button.addEventListener('click', onPress);
    return button;
  });
  show(
    el(
      'div',
      { class: 'notice', role: 'status' },
      el('h1', {}, title),
      text === undefined ? null : el('p', {}, text),
      ...elements,
    ),
  );
};

export const showLoading = (text: string): void =>
  show(el('div', { class: 'waiting', role: 'status' }, el('span', { class: 'spinner' }), el('span', {}, text)));
