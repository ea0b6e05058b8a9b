import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { flushFolderSync } from '@lintel/service/data-folder/flush-folder';
import { removePrivateFile, writePrivateFile } from '@lintel/service/data-folder/private-file';
import { type LoadedUpdateSlots, readUpdateSlots, writeUpdateSlots } from './update-slots-file.ts';
import { parsePendingRelease } from './parse-update-slots.ts';
import { listReleasesInUse, type PendingRelease, type UpdateSlots } from './update-slot-state.ts';

/** In the folder of each release and of the package: describes the program. */
export const RELEASE_DESCRIPTION_FILE = 'release.json';

export interface ProgramDescription {
  readonly program: string;
  readonly version: string;
  readonly arch: string;
  /** Path of the executable in the folder. */
  readonly entry: string;
}

/** Null when the folder has no complete program. */
export const readProgramDescription = (folder: string): ProgramDescription | null => {
  try {
    const facts = JSON.parse(readFileSync(join(folder, RELEASE_DESCRIPTION_FILE), 'utf8')) as Record<string, unknown>;
    const [program, version, arch, entry] = [facts['program'], facts['version'], facts['arch'], facts['entry']];
    accessSync(join(folder, String(entry)), constants.X_OK);
    return { program: String(program), version: String(version), arch: String(arch), entry: String(entry) };
  } catch {
    return null;
  }
};

const readJson = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
};

/**
 * The folder of releases. `slots.json` and its copy hold the state, written by the launcher and by the program that it starts, never by
 * both at once. `pending.json` names an unpacked release to start next. `current` links to the running program.
 */
export class ReleasesFolder {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  #path(name: string): string {
    return join(this.folder, name);
  }

  releaseFolder(release: string): string {
    return join(this.folder, 'releases', release);
  }

  hasRelease(release: string): boolean {
    return readProgramDescription(this.releaseFolder(release)) !== null;
  }

  read(): UpdateSlots {
    return this.load().slots;
  }

  load(): LoadedUpdateSlots {
    return readUpdateSlots(this.folder, () => this.#lastRunning());
  }

  /** The target of `current`, unless that is on trial. */
  #lastRunning(): UpdateSlots['good'] {
    try {
      if (existsSync(this.trialFile)) return null;
      const release = basename(readlinkSync(this.#path('current')));
      const facts = readProgramDescription(this.releaseFolder(release));
      return facts === null ? null : { release, version: facts.version };
    } catch {
      return null;
    }
  }

  write(slots: UpdateSlots): void {
    writeUpdateSlots(this.folder, slots);
  }

  pending(): PendingRelease | null {
    return parsePendingRelease(readJson(this.#path('pending.json')));
  }

  setPending(pending: PendingRelease): void {
    writePrivateFile(this.#path('pending.json'), `${JSON.stringify(pending)}\n`);
  }

  clearPending(): void {
    if (existsSync(this.#path('pending.json'))) removePrivateFile(this.#path('pending.json'));
  }

  /** Replaces the link atomically. */
  pointCurrentAt(target: string): void {
    const fresh = this.#path('current.new');
    rmSync(fresh, { force: true });
    symlinkSync(target, fresh);
    renameSync(fresh, this.#path('current'));
    flushFolderSync(this.folder);
  }

  /** Exists while a trial runs. The trial guard checks it. */
  get trialFile(): string {
    return this.#path('trial');
  }

  /** Written by the trial guard when it ends an overdue trial. */
  get expiredFile(): string {
    return this.#path('expired');
  }

  /** Its size in bytes is the duration of the trial in seconds, over all its starts. */
  get spentSecondsFile(): string {
    return this.#path('trial-seconds');
  }

  get spentSeconds(): number {
    return statSync(this.spentSecondsFile, { throwIfNoEntry: false })?.size ?? 0;
  }

  endTrial(): void {
    for (const file of [this.trialFile, this.expiredFile, this.spentSecondsFile]) rmSync(file, { force: true });
  }

  get incoming(): string {
    const folder = this.#path('incoming');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /** Deletes releases that are neither in use nor pending. */
  prune(): void {
    const used = listReleasesInUse(this.read(), this.pending());
    const folder = this.#path('releases');
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      if (!used.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
