const LONGEST = 100;

/**
 * A name for the text of a mail that goes to strangers. Mail programs make links of addresses, so the name loses what they
 * recognize.
 */
export const withoutLinks = (name: string): string =>
  name
    .replaceAll(/[a-z][a-z0-9+.-]*:\/+/gi, '')
    .replaceAll(/(?<=\S)[.\u3002\uFF0E\uFF61](?=\S)/g, '·')
    .replaceAll(/[@\r\n]/g, ' ')
    .slice(0, LONGEST);
