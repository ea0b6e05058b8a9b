import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SdCardPreparationError } from './sd-card-preparation-error.ts';
import { readOptionalTextFile } from './read-optional-text-file.ts';

/** Throws when the card has been started, because the system would ignore a new preparation. */
export const requireUnusedSdCard = (path: string): void => {
  const ready = readOptionalTextFile(path, 'lintel-ready.txt');
  if (ready !== null)
    throw new SdCardPreparationError(
      `this card has been started as ${ready.split(' ')[0]}: re-flash it with Raspberry Pi OS, or use the controller as it is`,
    );
  const folder = join(path, 'lintel');
  const settings = readOptionalTextFile(folder, 'settings');
  // The first boot creates this file when it has taken over the settings.
  if (existsSync(join(folder, 'started'))) {
    const name = /^name=(.*)$/m.exec(settings ?? '')?.[1] ?? 'a controller';
    const cause = readOptionalTextFile(folder, 'TROUBLE.txt')?.trim();
    throw new SdCardPreparationError(
      `this card has begun to start as ${name} and keeps the code of that label: put it back into the controller to finish, or re-flash it with Raspberry Pi OS${cause ? `\nCause: ${cause}` : ''}`,
    );
  }
  // An interrupted preparation has written its settings first.
  if (existsSync(folder) && settings === null)
    throw new SdCardPreparationError(`${folder} exists and was not created by this command. Move it away first`);
};
