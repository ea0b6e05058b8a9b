import { getErrorCode } from '@lintel/service/error-code';

/** Errors of a port whose adapter was unplugged while open. */
const GONE: readonly string[] = ['EIO', 'ENODEV', 'ENXIO', 'EBADF', 'ENOENT'];

/** The stream of the library reports a lost port without a code. */
const GONE_MESSAGE = new RegExp(
  `\\b(?:${GONE.join('|')})\\b|hung up|bad file descriptor|port is (?:closed|not open)`,
  'i',
);

export const formatSerialDisconnectedMessage = (path: string): string => `${path} was disconnected`;

/** The library reports open errors without a code, only in the message. */
const openings: readonly (readonly [RegExp, (path: string) => string])[] = [
  [/lock port|resource busy/i, path => `${path} is open in another program: sudo fuser ${path} shows which`],
  [
    /permission denied|not permitted/i,
    path => `${path} cannot be opened: add the user of this process to its group (ls -lL ${path})`,
  ],
  [/inappropriate ioctl|invalid argument/i, path => `${path} is not a serial port, or does not support this baud rate`],
];

/** Explains why a port does not open. A port that disappeared keeps the same message. */
export const formatSerialOpenError = (path: string, error: Error, hasBeenOpen: boolean): string => {
  if (/no such (file|device)/i.test(error.message))
    return hasBeenOpen ? formatSerialDisconnectedMessage(path) : `${path} does not exist`;
  const known = openings.find(([words]) => words.test(error.message));
  return known === undefined ? `${path} does not open: ${error.message}` : known[1](path);
};

/** Explains why an open port was lost. */
export const formatSerialConnectionLoss = (path: string, error: Error): string =>
  GONE.includes(getErrorCode(error)) || GONE_MESSAGE.test(error.message)
    ? formatSerialDisconnectedMessage(path)
    : `${path} fails: ${error.message}`;
