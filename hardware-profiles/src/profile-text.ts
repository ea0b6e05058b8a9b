import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Some editors begin a file with it. */
const BYTE_ORDER_MARK = '\uFEFF';

const MOST_BYTES = 1024 * 1024;

/** Throws on what is no file of a sensible size. Opened without waiting: a pipe would wait for somebody who writes. */
export const readProfileText = (file: string): string => {
  const opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(opened);
    if (!stat.isFile()) throw new Error('is no regular file');
    if (stat.size > MOST_BYTES) throw new Error(`is larger than ${MOST_BYTES} bytes`);
    const text = readFileSync(opened, 'utf8');
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
  } finally {
    closeSync(opened);
  }
};
