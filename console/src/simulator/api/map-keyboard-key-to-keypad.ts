/** Maps a key of the keyboard to a key of the keypad; null for any other key. */
export const mapKeyboardKeyToKeypad = (
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
): string | null => {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.key === 'Enter') return '#';
  if (event.key === 'Backspace' || event.key === 'Escape') return '*';
  return /^[0-9*#]$/.test(event.key) ? event.key : null;
};
