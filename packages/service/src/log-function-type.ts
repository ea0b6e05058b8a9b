/** Writes one log entry for the operator. Must not contain PINs, card UIDs, digests, keys, tickets, codes or passwords. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  facts?: Readonly<Record<string, string | number | boolean>>,
) => void;
