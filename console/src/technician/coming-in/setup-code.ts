const LENGTH = 12;
const GROUP = 4;

/** As it is on the label, however it is typed: case, spaces, and letters that are taken for digits. */
export const shownSetupCode = (typed: string): string => {
  const plain = typed
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
    .replaceAll(/[^0-9A-Z]/g, '')
    .slice(0, LENGTH);
  return plain.match(new RegExp(`.{1,${GROUP}}`, 'g'))?.join('-') ?? '';
};

export const isWholeSetupCode = (shown: string): boolean => /^([0-9A-Z]{4}-){2}[0-9A-Z]{4}$/.test(shown);
