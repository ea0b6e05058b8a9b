export const heading = 'The desk changed these rules, too';
export const superseded =
  'They were changed at the desk while there was no line. The desk’s are in force; yours are kept until you choose.';
export const refused = (message: string) =>
  `The desk could not take your rules: ${message}. The desk’s are in force; yours are kept until you choose.`;
export const yours = 'Yours, made here';
export const theirs = 'The desk’s, in force';
export const keepYours = 'Use mine';
export const keepTheirs = 'Keep the desk’s';
export const merge = 'Put both together';
