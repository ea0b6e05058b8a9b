import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Some editors write it at the start of a file. */
const BYTE_ORDER_MARK = '\uFEFF';

const MAX_BYTES = 1024 * 1024;

/** Throws unless the path is a regular file of reasonable size. Opens without blocking, because a pipe would wait for a writer. */
export const readProfileText = (file: string): string => {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw new Error('is not a regular file');
    if (stat.size > MAX_BYTES) throw new Error(`is larger than ${MAX_BYTES} bytes`);
    const text = readFileSync(descriptor, 'utf8');
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
  } finally {
    closeSync(descriptor);
  }
};
