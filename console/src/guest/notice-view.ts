import { el, show } from './markup.ts';

export interface Notice {
  readonly title: string;
  readonly text?: string;
  readonly buttons?: readonly { readonly label: string; readonly press: () => void }[];
}

/** A page that says one thing, and at most offers a way on. */
export const showNotice = ({ title, text, buttons = [] }: Notice): void => {
  const made = buttons.map(({ label, press }, index) => {
    const button = el('button', { type: 'button', class: index === 0 ? 'primary' : 'secondary' }, label);
    button.addEventListener('click', press);
    return button;
  });
  show(
    el(
      'div',
      { class: 'notice', role: 'status' },
      el('h1', {}, title),
      text === undefined ? null : el('p', {}, text),
      ...made,
    ),
  );
};

/** Only when it takes long enough to wonder. */
export const showWaiting = (text: string): void =>
  show(el('div', { class: 'waiting', role: 'status' }, el('span', { class: 'spinner' }), el('span', {}, text)));
