const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Compares the name of a USB keyboard in `/dev/input/by-id` with the pattern of a profile. `*` matches any text. */
export const matchesKeyboardPattern = (pattern: string, link: string): boolean =>
  new RegExp(`^${pattern.split('*').map(literally).join('.*')}$`).test(link);
