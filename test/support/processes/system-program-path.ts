import { delimiter } from 'node:path';

/** Debian installs servers such as mosquitto in folders that are missing in the PATH of ordinary users. */
export const addSystemProgramsToPath = (): void => {
  process.env['PATH'] = [process.env['PATH'], '/usr/sbin', '/sbin'].join(delimiter);
};
