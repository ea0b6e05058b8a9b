import { formatCount } from '../../../texts/format-count.ts';

export const keypadPreviewHeading = 'Keypad preview';
export const keypadPreviewHint = 'Press keys here to see which rule they select.';
export const liveKeypadHint = 'Keys on the real keypad select rules here too.';
export const ignoredInputRuleCountText = (count: number) =>
  `${formatCount(count, 'rule', 'rules')} ignored until fixed.`;
export const presentCardButton = 'Card';
export const pressAKeyText = 'Press a key';
export const matchingInputRuleCountText = (keys: string, count: number) =>
  `${keys}: ${formatCount(count, 'rule matches', 'rules match')}. Continue the code.`;
export const inputRuleSelectedText = (action: string, digits: number) =>
  digits === 0
    ? `${action}. Enter a PIN or present a card.`
    : `${action}. PIN: ${formatCount(digits, 'digit', 'digits')}. Press # to finish.`;
export const pinPresentedText = (action: string) => `${action}: the PIN would be checked now.`;
export const cardPresentedText = (action: string) => `${action}: the card would be checked now.`;
export const firstGadgetNameText = 'First gadget';
export const starKeyLabel = 'star, clear';
export const poundKeyLabel = 'hash, enter';
export const liveKeypadTitle = (station: string) => `Keypad ${station}`;
export const liveKeypadIdleText = 'idle';
export const liveKeypadCodeIncompleteText = (keys: string) => `${keys} entered, code incomplete`;
export const liveInputRuleSelectedText = (action: string) => `${action}: waiting for a PIN or card`;
/** Entries without an effect. */
export const discardedEntryTexts = {
  dropped: 'No rule matches. The entry was discarded.',
  cleared: 'Cleared.',
  forgotten: 'Discarded after 10 seconds without a key.',
  card_without_rule: 'A card alone needs a default rule.',
};
