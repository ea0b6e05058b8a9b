import type { GuestActionAvailability } from '@lintel/wire-protocol/guest/guest-api';
import { api, type Position } from '../guest-api.ts';
import type { Language } from '../messages/language.ts';
import { el, icon, type Shape } from './markup.ts';
import { getPosition } from '../phone-position.ts';
import { errorMessage } from '../messages/describe-error.ts';

export interface DoorButton {
  readonly memberId: string;
  readonly gadgetId: string;
  readonly action: GuestActionAvailability;
  readonly title: string;
  /** The action, or why it is not available. */
  readonly hint: string;
  readonly language: Language;
  /** Called after success and after an error. */
  readonly onSettled: () => void;
}

const SUCCESS_MS = 5000;

type Appearance = 'ready' | 'busy' | 'done' | 'error' | 'unavailable';

const symbols: Readonly<Record<Appearance, Shape>> = {
  ready: 'door',
  busy: 'door',
  done: 'check',
  error: 'lock',
  unavailable: 'lock',
};

/** Returns null for an action that needs no location. */
const positionFor = async (action: GuestActionAvailability): Promise<Position | null | 'denied' | 'unknown'> =>
  action.needs_location ? getPosition() : null;

/** A button for one action, with its result. */
export const doorButton = ({
  memberId,
  gadgetId,
  action,
  title,
  hint,
  language,
  onSettled,
}: DoorButton): HTMLElement => {
  const { messages } = language;
  const hintLine = el('span', { class: 'hint' }, hint);
  const symbol = el('span', { class: 'symbol' });
  const status = el('p', { class: 'status', role: 'status' });
  const button = el(
    'button',
    { type: 'button', id: `${gadgetId}.${action.id}`, disabled: !action.is_allowed },
    symbol,
    el('span', { class: 'text' }, el('strong', {}, title), hintLine),
  );
  const card = el('div', { class: 'door' }, button, status);
  let timer = 0;

  /** Announces the text of the button to screen readers; shows it below the button after an error. */
  const setAppearance = (appearance: Appearance, text: string, announcement = ''): void => {
    clearTimeout(timer);
    card.dataset['appearance'] = appearance;
    symbol.replaceChildren(icon(symbols[appearance]));
    hintLine.textContent = text;
    status.textContent = announcement;
    status.classList.toggle('unseen', appearance !== 'error');
    button.setAttribute('aria-busy', String(appearance === 'busy'));
  };

  const reset = (): void => setAppearance(action.is_allowed ? 'ready' : 'unavailable', hint);

  const showBusy = (text: string): void => setAppearance('busy', text, `${title}: ${text}`);

  const showError = (text: string): void => {
    setAppearance('error', hint, text);
    onSettled();
  };

  const showSuccess = (text: string): void => {
    setAppearance('done', text, `${title}: ${text}`);
    timer = window.setTimeout(reset, SUCCESS_MS);
    onSettled();
  };

  const open = async (): Promise<void> => {
    if (card.dataset['appearance'] === 'busy') return;
    if (action.needs_location) showBusy(messages.locating);
    const position = await positionFor(action);
    if (position === 'denied') return showError(messages.locationDenied);
    if (position === 'unknown') return showError(messages.locationUnknown);
    showBusy(action.id === 'open' ? messages.opening : messages.working);
    const result = await api.act(gadgetId, action.id, {
      member_id: memberId,
      ...(position === null ? {} : { location: position }),
    });
    if (!result.ok) return showError(errorMessage(language, result.error));
    navigator.vibrate?.(60);
    showSuccess(action.id === 'open' ? messages.opened : messages.done);
  };

  button.addEventListener('click', () => void open());
  reset();
  return card;
};
