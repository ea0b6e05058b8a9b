import { plural } from './plural.ts';

export const heading = 'Keypad preview';
export const hint = 'Keys pressed here or at the door light up the rule that they select.';
export const skipped = (count: number) => `${plural(count, 'rule', 'rules')} left out until mended.`;
export const card = 'Card';
export const idle = 'Press a key';
export const possible = (keys: string, count: number) =>
  `${keys}: ${plural(count, 'rule is', 'rules are')} still possible. Go on with the code.`;
export const armed = (deedWords: string, digits: number) =>
  digits === 0
    ? `${deedWords}. Now a PIN or a card.`
    : `${deedWords}. PIN: ${plural(digits, 'digit', 'digits')} so far; # ends it.`;
export const first = (digits: number) => `First gadget. PIN: ${plural(digits, 'digit', 'digits')} so far; # ends it.`;
export const fired = (deedWords: string) => `${deedWords}: the PIN would be checked now.`;
export const cardDone = (deedWords: string) => `${deedWords}: the card would be checked now.`;
export const firstGadget = 'The first gadget';
export const star = 'star, clear';
export const hash = 'hash, enter';
export const real = (station: string) => `Keypad ${station}`;
export const realIdle = 'idle';
export const realCode = (keys: string) => `${keys} typed, part of a code`;
export const realArmed = (deedWords: string) => `${deedWords}: waits for a PIN or a card`;
/** What nothing came of. */
export const endings = {
  dropped: 'No rule goes on like that: everything typed is dropped.',
  cleared: 'Cleared.',
  forgotten: 'Too slow: forgotten after 10 seconds.',
  card_without_rule: 'A card alone does nothing here: there is no default rule.',
};
