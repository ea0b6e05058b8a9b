/**
 * Finds a secret number, also after the code of an input rule, but not the same digits within an id, a hash or a time, where
 * they can be by chance.
 */
export const asWholeWord = (digits: string): RegExp => new RegExp(String.raw`(?<!\w)\d{0,2}${digits}(?!\w)`);
