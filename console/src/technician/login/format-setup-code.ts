const LENGTH = 12;
const GROUP = 4;

/** Formats typed text as on the label: uppercase, in groups, with `0` for `O` and `1` for `I` and `L`. */
export const formatSetupCode = (typed: string): string => {
  const plain = typed
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
    .replaceAll(/[^0-9A-Z]/g, '')
    .slice(0, LENGTH);
  return plain.match(new RegExp(`.{1,${GROUP}}`, 'g'))?.join('-') ?? '';
};

export const isCompleteSetupCode = (code: string): boolean => /^([0-9A-Z]{4}-){2}[0-9A-Z]{4}$/.test(code);
