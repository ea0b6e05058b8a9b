const UID = /^(?:[0-9a-f]{8}|[0-9a-f]{14}|[0-9a-f]{20})$/i;

/** A UID may be written with separators; anything else is the printed code. */
export const parseCardText = (text: string): object => {
  const digits = text.replaceAll(/[\s:.-]/g, '');
  return UID.test(digits) ? { uid: digits } : { printed_code: text.trim() };
};
