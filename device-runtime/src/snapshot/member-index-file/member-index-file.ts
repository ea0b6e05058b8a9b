import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import { type FileHandle, open, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { MemberImageSection } from '@lintel/access-core/access-index/member-image';
import { flushFolderSync } from '@lintel/service/data-folder/flush-folder';
import {
  allocateSection,
  decodeSection,
  encodeSection,
  type RawSection,
  SECTION_HEADER_WORDS,
  viewBytes,
} from './section-format.ts';

/** Hashed and written at once, so that the door is not delayed. */
const STEP_BYTES = 2 ** 18;
/** Flushed at once. The flush of an event may have to wait for it. */
const FLUSH_BYTES = 2 ** 20;
/** Left for events. */
const FREE_BYTES = 2 ** 28;

const createFileHash = (): Hash => createHash('blake2b512');

/** The members of the access index as a file, which is read much faster than the entries. */
export class MemberIndexFile {
  readonly #path: string;
  /** The first section. Another version of the program may read entries differently. */
  readonly #version: readonly string[];

  constructor(path: string, programVersion: string) {
    this.#path = path;
    this.#version = ['lintel member index', programVersion];
  }

  get #newPath(): string {
    return `${this.#path}.new`;
  }

  /** Null unless the file has this hash and is of this version. */
  read(expectedHash: string): readonly MemberImageSection[] | null {
    try {
      const hash = createFileHash();
      const sections = this.#readSections(hash);
      if (hash.digest('base64url') !== expectedHash) return null;
      const [version, ...others] = sections.map(decodeSection);
      return String(version) === String(this.#version) ? others : null;
    } catch {
      // Missing, damaged or not readable: the index is built from the entries.
      return null;
    }
  }

  #readSections(hash: Hash): RawSection[] {
    const file = openSync(this.#path, 'r');
    try {
      const { size } = fstatSync(file);
      const sections: RawSection[] = [];
      for (let at = 0; at < size; ) {
        const header = new Uint32Array(SECTION_HEADER_WORDS);
        this.#fill(file, viewBytes(header), hash);
        at += header.byteLength;
        const section = allocateSection(header, size - at);
        this.#fill(file, section.content, hash);
        at += section.content.length;
        sections.push(section);
      }
      return sections;
    } finally {
      closeSync(file);
    }
  }

  #fill(file: number, target: Uint8Array, hash: Hash): void {
    for (let at = 0; at < target.length; ) {
      const count = readSync(file, target, at, Math.min(FLUSH_BYTES, target.length - at), null);
      if (count === 0) throw new Error('The file is too short');
      hash.update(target.subarray(at, at + count));
      at += count;
    }
  }

  /**
   * Writes a new file in small steps and returns its hash; null if `isCurrent` became false. Throws errors of the disk.
   * The file is not used before `activate`.
   */
  async write(sections: Iterable<MemberImageSection>, isCurrent: () => boolean): Promise<string | null> {
    try {
      const file = await open(this.#newPath, 'w', 0o600);
      try {
        const hash = await this.#writeSections(file, sections, isCurrent);
        if (hash !== null) return hash;
      } finally {
        await file.close();
      }
    } catch (error) {
      this.#removeNew();
      throw error;
    }
    this.#removeNew();
    return null;
  }

  async #writeSections(
    file: FileHandle,
    sections: Iterable<MemberImageSection>,
    isCurrent: () => boolean,
  ): Promise<string | null> {
    const hash = createFileHash();
    let unflushed = 0;
    for (const step of this.#steps(sections)) {
      hash.update(step);
      await file.writeFile(step);
      unflushed += step.length;
      if (unflushed >= FLUSH_BYTES) {
        await this.#flush(file);
        unflushed = 0;
      }
      if (!isCurrent()) return null;
    }
    await this.#flush(file);
    return isCurrent() ? hash.digest('base64url') : null;
  }

  *#steps(sections: Iterable<MemberImageSection>): Generator<Uint8Array> {
    yield* encodeSection(this.#version);
    for (const section of sections) {
      const [header, content] = encodeSection(section);
      yield header;
      for (let at = 0; at < content.length; at += STEP_BYTES) yield content.subarray(at, at + STEP_BYTES);
    }
  }

  async #flush(file: FileHandle): Promise<void> {
    await file.datasync();
    const { bavail, bsize } = await statfs(dirname(this.#path));
    if (bavail * bsize < FREE_BYTES) throw new Error('Not enough disk space for the member index');
  }

  /** Replaces the previous file by the new one. */
  activate(): void {
    renameSync(this.#newPath, this.#path);
    flushFolderSync(dirname(this.#path));
  }

  #removeNew(): void {
    rmSync(this.#newPath, { force: true, recursive: true });
  }

  remove(): void {
    this.#removeNew();
    rmSync(this.#path, { force: true, recursive: true });
  }
}
