/** One line for the operator. Never a key, a ticket, a code or a password. */
export type LinkLog = (
  level: 'info' | 'warn' | 'error',
  message: string,
  facts?: Readonly<Record<string, string | number | boolean>>,
) => void;
