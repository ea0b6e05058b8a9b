import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileError, toFileError } from '@lintel/service/data-folder/file-error';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';
import type { SimulatorState } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';
import type { RegisteredWebhook } from '../bridge/webhook-registration-and-past-deliveries.ts';
import { getErrorCode } from '@lintel/service/error-code';

/** Logins of one installation. With a published password, other machines and web pages could use the demo. */
export interface DemoLogins {
  readonly admin: { readonly email: string; readonly password: string };
  readonly application: { readonly client_id: string; readonly client_secret: string };
}

/** Secrets that the bridge shows only once, stored for the next start. */
export interface StoredDemoState {
  /** Null before the first start. */
  readonly logins: DemoLogins | null;
  readonly webhook: RegisteredWebhook | null;
  /** Member tokens by the key of the phone's owner. */
  readonly phones: Readonly<Record<string, string>>;
  /** The link to the guest page of one guest. */
  readonly guestLink: SimulatorState['guest_link'];
  /** The day for which the stays were created. */
  readonly day: number | null;
}

const emptyState: StoredDemoState = { logins: null, webhook: null, phones: {}, guestLink: null, day: null };
const fileIn = (dataDir: string): string => join(dataDir, 'simulator.json');

export const readStoredDemoState = (dataDir: string): StoredDemoState => {
  const file = fileIn(dataDir);
  try {
    return { ...emptyState, ...(JSON.parse(readFileSync(file, 'utf8')) as Partial<StoredDemoState>) };
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return emptyState;
    throw error instanceof SyntaxError ? new FileError(`${file} is damaged.`) : toFileError(file, error);
  }
};

export const writeStoredDemoState = (dataDir: string, state: StoredDemoState): void =>
  writePrivateFile(fileIn(dataDir), `${JSON.stringify(state, null, 2)}\n`);
