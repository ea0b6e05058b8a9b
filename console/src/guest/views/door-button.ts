import type { GuestActionAvailability } from '@lintel/wire-protocol/guest/guest-api';
import { guestApi, type PhonePosition } from '../guest-api.ts';
import type { GuestLanguage } from '../messages/language.ts';
import { createElement, createIcon, type IconName } from './markup.ts';
import { requestPhonePosition } from '../phone-position.ts';
import { describeGuestApiError } from '../messages/describe-error.ts';

export interface GuestDoorButtonOptions {
  readonly memberId: string;
  readonly gadgetId: string;
  readonly action: GuestActionAvailability;
  readonly title: string;
  /** The action, or why it is not available. */
  readonly hint: string;
  readonly language: GuestLanguage;
  /** Called after success and after an error. */
  readonly onSettled: () => void;
}

const SUCCESS_MS = 5000;

type Appearance = 'ready' | 'busy' | 'done' | 'error' | 'unavailable';

const symbols: Readonly<Record<Appearance, IconName>> = {
  ready: 'door',
  busy: 'door',
  done: 'check',
  error: 'lock',
  unavailable: 'lock',
};

/** Returns null for an action that needs no location. */
const positionFor = async (action: GuestActionAvailability): Promise<PhonePosition | null | 'denied' | 'unknown'> =>
  action.needs_location ? requestPhonePosition() : null;

/** A button for one action, with its result. */
export const renderGuestDoorButton = ({
  memberId,
  gadgetId,
  action,
  title,
  hint,
  language,
  onSettled,
}: GuestDoorButtonOptions): HTMLElement => {
  const { messages } = language;
  const hintLine = createElement('span', { class: 'hint' }, hint);
  const symbol = createElement('span', { class: 'symbol' });
  const status = createElement('p', { class: 'status', role: 'status' });
  const button = createElement(
    'button',
    { type: 'button', id: `${gadgetId}.${action.id}`, disabled: !action.is_allowed },
    symbol,
    createElement('span', { class: 'text' }, createElement('strong', {}, title), hintLine),
  );
  const card = createElement('div', { class: 'door' }, button, status);
  let timer = 0;

  /** Announces the text of the button to screen readers; shows it below the button after an error. */
  const setAppearance = (appearance: Appearance, text: string, announcement = ''): void => {
    clearTimeout(timer);
    card.dataset['appearance'] = appearance;
    symbol.replaceChildren(createIcon(symbols[appearance]));
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
    const result = await guestApi.act(gadgetId, action.id, {
      member_id: memberId,
      ...(position === null ? {} : { location: position }),
    });
    if (!result.ok) return showError(describeGuestApiError(language, result.error));
    navigator.vibrate?.(60);
    showSuccess(action.id === 'open' ? messages.opened : messages.done);
  };

  button.addEventListener('click', () => void open());
  reset();
  return card;
};
