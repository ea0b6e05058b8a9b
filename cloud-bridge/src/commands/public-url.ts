import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asCaller } from '@lintel/service/data-folder/folder-owner';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';
import type pino from 'pino';
import { BridgeCommandError } from './bridge-command-error.ts';
import type { BridgeLocation } from './bridge-location.ts';

const fileIn = (dataDir: string): string => join(dataDir, 'public-url');

const readStored = (dataDir: string): string | undefined => {
  try {
    const url = readFileSync(fileIn(dataDir), 'utf8').trim();
    return URL.canParse(url) ? url : undefined;
  } catch {
    return undefined;
  }
};

/** Called by the bridge when it knows its address, so that the links of commands lead to it. */
export const storePublicUrl = (dataDir: string, url: string, logger: pino.Logger): void => {
  try {
    if (readStored(dataDir) !== url) writePrivateFile(fileIn(dataDir), `${url}\n`);
  } catch (error) {
    logger.warn({ why: (error as Error).message }, 'The public URL could not be saved for commands');
  }
};

/** The address of the bridge. Undefined if neither an option nor a start of the bridge tells it. */
export const findPublicUrl = ({ dataDir, publicUrl }: BridgeLocation): string | undefined =>
  publicUrl ?? asCaller(() => readStored(dataDir));

/** The address of the bridge in links. Throws a BridgeCommandError if it is not known. */
export const requirePublicUrl = (location: BridgeLocation): string => {
  const url = findPublicUrl(location);
  if (url === undefined)
    throw new BridgeCommandError(
      'The address of the bridge for the link is not known: no bridge has started with this data folder. Add --public-url',
    );
  return url.replace(/\/+$/, '');
};
