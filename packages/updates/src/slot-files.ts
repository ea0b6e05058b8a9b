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
import { flushFolder, removePrivately, writePrivately } from '@lintel/service/data-folder/private-file';
import { type KeptSlots, readKept, writeKept } from './kept-slots.ts';
import { pendingOf } from './read-slots.ts';
import { inUse, type Pending, type Slots } from './slot-machine.ts';

/** Beside the files of a release and of the package: what it is. */
export const RELEASE_FILE = 'release.json';

export interface ProgramFacts {
  readonly program: string;
  readonly version: string;
  readonly arch: string;
  /** The file that is started, below the folder. */
  readonly entry: string;
}

/** Null where there is no such program, or not all of it. */
export const programIn = (folder: string): ProgramFacts | null => {
  try {
    const facts = JSON.parse(readFileSync(join(folder, RELEASE_FILE), 'utf8')) as Record<string, unknown>;
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
 * The folder of releases. `slots.json` and its copy are what counts, and are written by the launcher and by the program that it becomes,
 * never by both at once; `pending.json` is the wish of anybody who has unpacked a release; `current` shows what runs.
 */
export class SlotFiles {
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

  isThere(release: string): boolean {
    return programIn(this.releaseFolder(release)) !== null;
  }

  read(): Slots {
    return this.kept().slots;
  }

  kept(): KeptSlots {
    return readKept(this.folder, () => this.#shown());
  }

  /** What `current` leads to, unless that is on trial. */
  #shown(): Slots['good'] {
    try {
      if (existsSync(this.trialMark)) return null;
      const release = basename(readlinkSync(this.#path('current')));
      const facts = programIn(this.releaseFolder(release));
      return facts === null ? null : { release, version: facts.version };
    } catch {
      return null;
    }
  }

  write(slots: Slots): void {
    writeKept(this.folder, slots);
  }

  pending(): Pending | null {
    return pendingOf(readJson(this.#path('pending.json')));
  }

  wish(pending: Pending): void {
    writePrivately(this.#path('pending.json'), `${JSON.stringify(pending)}\n`);
  }

  dropWish(): void {
    if (existsSync(this.#path('pending.json'))) removePrivately(this.#path('pending.json'));
  }

  /** For people and scripts, and replaced in one step. */
  pointCurrentAt(target: string): void {
    const fresh = this.#path('current.new');
    rmSync(fresh, { force: true });
    symlinkSync(target, fresh);
    renameSync(fresh, this.#path('current'));
    flushFolder(this.folder);
  }

  /** There while a trial runs; whoever watches it looks for this file. */
  get trialMark(): string {
    return this.#path('trial');
  }

  /** Left behind by whoever ended a trial that took too long. */
  get expiredMark(): string {
    return this.#path('expired');
  }

  /** As many bytes as the trial has lasted seconds, over all its starts. */
  get spentFile(): string {
    return this.#path('trial-seconds');
  }

  get spentSeconds(): number {
    return statSync(this.spentFile, { throwIfNoEntry: false })?.size ?? 0;
  }

  endTrial(): void {
    for (const file of [this.trialMark, this.expiredMark, this.spentFile]) rmSync(file, { force: true });
  }

  get incoming(): string {
    const folder = this.#path('incoming');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /** Two slots: what is in use, and what comes next. Everything else makes room for it. */
  prune(): void {
    const used = inUse(this.read(), this.pending());
    const folder = this.#path('releases');
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      if (!used.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
