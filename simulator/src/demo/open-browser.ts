import { spawn } from 'node:child_process';

interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether a person sees the output. */
  readonly isTerminal: boolean;
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '' && value !== 'false';

/** The program that opens a page in the browser of the user; null if there is no display, and in CI. */
export const findBrowserOpener = ({ platform, environment, isTerminal }: Surroundings): string | null => {
  if (!isTerminal || isSet(environment['CI'])) return null;
  if (platform === 'darwin') return 'open';
  return isSet(environment['DISPLAY']) || isSet(environment['WAYLAND_DISPLAY']) ? 'xdg-open' : null;
};

/** Does nothing if the program is missing, because the address is printed too. */
export const openBrowser = (opener: string, url: string): void => {
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
};
