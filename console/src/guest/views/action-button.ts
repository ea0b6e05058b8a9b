import { createHtmlElement, createIconElement, type GuestIconName } from './html-elements.ts';

export interface ActionButtonResult {
  readonly isDone: boolean;
  readonly text: string;
}

export interface ActionButtonOptions {
  readonly id: string;
  readonly title: string;
  /** What the button does, or why it is not available. */
  readonly hint: string;
  readonly isAvailable: boolean;
  /** `showProgress` changes the text of the button until the result is there. Null: the result is shown elsewhere. */
  readonly run: (showProgress: (text: string) => void) => Promise<ActionButtonResult | null>;
  /** Called after success and after an error. */
  readonly onSettled: () => void;
}

const SUCCESS_MS = 5000;

type Appearance = 'ready' | 'busy' | 'done' | 'error' | 'unavailable';

const symbols: Readonly<Record<Appearance, GuestIconName>> = {
  ready: 'door',
  busy: 'door',
  done: 'check',
  error: 'lock',
  unavailable: 'lock',
};

/** A large button for one action, with its progress and its result. */
export const renderActionButton = (options: ActionButtonOptions): HTMLElement => {
  const { id, title, hint, isAvailable, run, onSettled } = options;
  const hintLine = createHtmlElement('span', { class: 'hint' }, hint);
  const symbol = createHtmlElement('span', { class: 'symbol' });
  const status = createHtmlElement('p', { class: 'status', role: 'status' });
  const button = createHtmlElement(
    'button',
    { type: 'button', id, disabled: !isAvailable },
    symbol,
    createHtmlElement('span', { class: 'text' }, createHtmlElement('strong', {}, title), hintLine),
  );
  const card = createHtmlElement('div', { class: 'door' }, button, status);
  let timer = 0;

  /** Announces the text of the button to screen readers; shows it below the button after an error. */
  const setAppearance = (appearance: Appearance, text: string, announcement = ''): void => {
    clearTimeout(timer);
    card.dataset['appearance'] = appearance;
    symbol.replaceChildren(createIconElement(symbols[appearance]));
    hintLine.textContent = text;
    status.textContent = announcement;
    status.classList.toggle('unseen', appearance !== 'error');
    button.setAttribute('aria-busy', String(appearance === 'busy'));
  };

  const reset = (): void => setAppearance(isAvailable ? 'ready' : 'unavailable', hint);

  const start = async (): Promise<void> => {
    if (card.dataset['appearance'] === 'busy') return;
    const result = await run(progress => setAppearance('busy', progress, `${title}: ${progress}`));
    if (result === null) reset();
    else if (result.isDone) {
      setAppearance('done', result.text, `${title}: ${result.text}`);
      timer = window.setTimeout(reset, SUCCESS_MS);
    } else setAppearance('error', hint, result.text);
    onSettled();
  };

  button.addEventListener('click', () => void start());
  reset();
  return card;
};
