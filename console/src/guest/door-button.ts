import type { GuestActionOutlook } from '@lintel/wire-protocol/guest/guest-api';
import { api, type Position } from './guest-api.ts';
import type { Language } from './language.ts';
import { el, icon, type Shape } from './markup.ts';
import { phonePosition } from './phone-position.ts';
import { failureWords } from './why-not.ts';

export interface DoorButton {
  readonly memberId: string;
  readonly gadgetId: string;
  readonly action: GuestActionOutlook;
  readonly title: string;
  /** Below the title: what it does, or why not. */
  readonly hint: string;
  readonly language: Language;
  /** Told when the door has answered, however it did. */
  readonly settled: () => void;
}

const SHOWN_MS = 5000;

type Look = 'ready' | 'busy' | 'done' | 'sorry' | 'shut';

const symbols: Readonly<Record<Look, Shape>> = {
  ready: 'door',
  busy: 'door',
  done: 'check',
  sorry: 'lock',
  shut: 'lock',
};

/** Null stands for a door that needs no location. */
const positionFor = async (action: GuestActionOutlook): Promise<Position | null | 'denied' | 'unknown'> =>
  action.needs_location ? phonePosition() : null;

/** One big button for one action of one door, and the line that says how it went. */
export const doorButton = ({ memberId, gadgetId, action, title, hint, language, settled }: DoorButton): HTMLElement => {
  const { words } = language;
  const line = el('span', { class: 'hint' }, hint);
  const symbol = el('span', { class: 'symbol' });
  const said = el('p', { class: 'said', role: 'status' });
  const button = el(
    'button',
    { type: 'button', id: `${gadgetId}.${action.id}`, disabled: !action.is_allowed },
    symbol,
    el('span', { class: 'words' }, el('strong', {}, title), line),
  );
  const card = el('div', { class: 'door' }, button, said);
  let timer = 0;

  /** What a seeing guest reads on the button, the others are told. */
  const look = (name: Look, text: string, outcome = ''): void => {
    clearTimeout(timer);
    card.dataset['look'] = name;
    symbol.replaceChildren(icon(symbols[name]));
    line.textContent = text;
    said.textContent = outcome;
    said.classList.toggle('unseen', name !== 'sorry');
    button.setAttribute('aria-busy', String(name === 'busy'));
  };

  const rest = (): void => look(action.is_allowed ? 'ready' : 'shut', hint);

  const busy = (text: string): void => look('busy', text, `${title}: ${text}`);

  const sorry = (text: string): void => {
    look('sorry', hint, text);
    settled();
  };

  const done = (text: string): void => {
    look('done', text, `${title}: ${text}`);
    timer = window.setTimeout(rest, SHOWN_MS);
    settled();
  };

  const open = async (): Promise<void> => {
    if (card.dataset['look'] === 'busy') return;
    if (action.needs_location) busy(words.locating);
    const position = await positionFor(action);
    if (position === 'denied') return sorry(words.locationDenied);
    if (position === 'unknown') return sorry(words.locationUnknown);
    busy(action.id === 'open' ? words.opening : words.working);
    const answer = await api.act(gadgetId, action.id, {
      member_id: memberId,
      ...(position === null ? {} : { location: position }),
    });
    if (!answer.ok) return sorry(failureWords(language, answer.failure));
    navigator.vibrate?.(60);
    done(action.id === 'open' ? words.opened : words.done);
  };

  button.addEventListener('click', () => void open());
  rest();
  return card;
};
