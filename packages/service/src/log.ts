/** One line for the operator. Never a PIN, a card's uid, a digest, a key, a ticket, a code or a password. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  facts?: Readonly<Record<string, string | number | boolean>>,
) => void;
