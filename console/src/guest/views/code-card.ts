import type { GuestPinsResponse } from '@lintel/wire-protocol/guest/guest-api';
import type { GuestLanguage } from '../messages/language.ts';
import { createHtmlElement, createIconElement } from './html-elements.ts';

export interface CodeCardOptions {
  readonly language: GuestLanguage;
  /** A text if the PINs cannot be loaded. */
  readonly load: () => Promise<GuestPinsResponse | string>;
  readonly hint: string;
}

/** Long enough to walk to the keypad and type. */
const SHOWN_MS = 120_000;

const entryList = ({ pins, entries }: GuestPinsResponse, { messages }: GuestLanguage): HTMLElement[] => {
  const hasSites = new Set(entries.map(({ site }) => site)).size > 1;
  return pins.map(({ pin }) => {
    const rows = entries.map(({ door, site, code }) =>
      createHtmlElement(
        'li',
        {},
        createHtmlElement('span', {}, hasSites ? `${door} (${site})` : door),
        createHtmlElement('strong', { class: 'digits' }, code === '' ? pin : messages.codeThenPin(code, pin)),
      ),
    );
    const alone = createHtmlElement('p', {}, createHtmlElement('strong', { class: 'digits' }, pin));
    return rows.length === 0 ? alone : createHtmlElement('ul', {}, ...rows);
  });
};

/** What to type at each door. Hidden until the guest asks for it, and again after some time or when the page is left. */
export const createCodeCard = ({ language, load, hint }: CodeCardOptions): HTMLElement => {
  const { messages } = language;
  const content = createHtmlElement('div', { class: 'code-content', role: 'status' });
  const button = createHtmlElement(
    'button',
    { type: 'button', id: 'show-code', class: 'secondary' },
    messages.showCode,
  );
  const card = createHtmlElement(
    'section',
    { class: 'code-card', 'aria-labelledby': 'my-code' },
    createHtmlElement('h2', { id: 'my-code' }, createIconElement('lock'), messages.myCode),
    createHtmlElement('p', { class: 'hint' }, hint),
    content,
    button,
  );
  let timer = 0;
  const hide = (): void => {
    clearTimeout(timer);
    content.replaceChildren();
    button.textContent = messages.showCode;
    delete card.dataset['isShown'];
  };
  const show = async (): Promise<void> => {
    button.setAttribute('aria-busy', 'true');
    const loaded = await load();
    button.removeAttribute('aria-busy');
    if (typeof loaded === 'string') return content.replaceChildren(createHtmlElement('p', { class: 'wrong' }, loaded));
    content.replaceChildren(...entryList(loaded, language));
    button.textContent = messages.hideCode;
    card.dataset['isShown'] = '';
    timer = window.setTimeout(hide, SHOWN_MS);
  };
  button.addEventListener('click', () => {
    if (card.dataset['isShown'] !== undefined) hide();
    else if (button.getAttribute('aria-busy') !== 'true') void show();
  });
  const hideWhenLeft = (): void => {
    if (document.hidden) hide();
    if (!card.isConnected) document.removeEventListener('visibilitychange', hideWhenLeft);
  };
  document.addEventListener('visibilitychange', hideWhenLeft);
  return card;
};
