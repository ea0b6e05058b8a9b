import { plural } from './plural.ts';

export const heading = 'Keypad preview';
export const hint = 'Press keys here or on the real keypad to see which rule they select.';
export const skipped = (count: number) => `${plural(count, 'rule', 'rules')} ignored until fixed.`;
export const card = 'Card';
export const idle = 'Press a key';
export const possible = (keys: string, count: number) =>
  `${keys}: ${plural(count, 'rule matches', 'rules match')}. Continue the code.`;
export const selected = (action: string, digits: number) =>
  digits === 0
    ? `${action}. Enter a PIN or present a card.`
    : `${action}. PIN: ${plural(digits, 'digit', 'digits')}. Press # to finish.`;
export const pinPresented = (action: string) => `${action}: the PIN would be checked now.`;
export const cardPresented = (action: string) => `${action}: the card would be checked now.`;
export const firstGadget = 'First gadget';
export const star = 'star, clear';
export const hash = 'hash, enter';
export const liveKeypad = (station: string) => `Keypad ${station}`;
export const liveIdle = 'idle';
export const liveCode = (keys: string) => `${keys} entered, code incomplete`;
export const liveSelected = (action: string) => `${action}: waiting for a PIN or card`;
/** Entries without an effect. */
export const discarded = {
  dropped: 'No rule matches. The entry was discarded.',
  cleared: 'Cleared.',
  forgotten: 'Discarded after 10 seconds without a key.',
  card_without_rule: 'A card alone needs a default rule.',
};
