import type { Architecture } from './build-settings.ts';

export interface RootText {
  readonly path: string;
  readonly text: string;
}

/** What is handed to the process that finishes the root. */
export interface RootPlan {
  readonly architecture: Architecture;
  /** Of the disk, eight hex digits. */
  readonly signature: string;
  /** In seconds: the time of every file. */
  readonly epoch: number;
  readonly packageFile: string;
  /** The text of the profile. */
  readonly profile: string;
  /** Public keys whose releases the controller takes, each with its path in the root. */
  readonly releaseKeys: readonly RootText[];
  /** `authorized_keys`. */
  readonly sshKey: string | null;
  /** What the data partition begins with. */
  readonly seedDir: string;
  readonly hostname: string;
  readonly overlay: string | null;
  /** `packages/packaging/files/system`. */
  readonly systemDir: string;
  readonly dataBytes: number;
}

/** The folder inside of the root where the pieces of the image are put. */
export const PIECES = '.lintel-pieces';
