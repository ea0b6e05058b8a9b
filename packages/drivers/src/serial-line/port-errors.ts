import { errorCode } from '@lintel/service/linux/device-calls';

/** What a port says when its adapter was pulled out while it was open. */
const GONE: readonly string[] = ['EIO', 'ENODEV', 'ENXIO', 'EBADF', 'ENOENT'];

export const disconnectedMessage = (path: string): string => `${path} is gone`;

/** The library opens ports without an error code: what went wrong is in its words alone. */
const openings: readonly (readonly [RegExp, (path: string) => string])[] = [
  [/lock port|resource busy/i, path => `${path} is open in another program: sudo fuser ${path} shows which`],
  [
    /permission denied|not permitted/i,
    path => `${path} may not be opened: the user that this runs as must be in its group (ls -lL ${path})`,
  ],
  [/inappropriate ioctl|invalid argument/i, path => `${path} is no serial port, or does not know this baud rate`],
];

/** Why a port does not open, for people. One that was there before is gone, and stays so in the same words. */
export const openErrorMessage = (path: string, error: Error, hasBeenOpen: boolean): string => {
  if (/no such (file|device)/i.test(error.message))
    return hasBeenOpen ? disconnectedMessage(path) : `${path} is not there`;
  const known = openings.find(([words]) => words.test(error.message));
  return known === undefined ? `${path} does not open: ${error.message}` : known[1](path);
};

/** Why a port that was open is lost, for people. */
export const connectionLossMessage = (path: string, error: Error): string =>
  GONE.includes(errorCode(error)) || /hung up|bad file descriptor|port is closed/i.test(error.message)
    ? disconnectedMessage(path)
    : `${path} fails: ${error.message}`;
