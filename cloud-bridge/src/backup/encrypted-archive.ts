import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, openSync, rmSync, statSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { text } from 'node:stream/consumers';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { type ReportProgress, reportNothing } from '@lintel/service/command-line/progress';
import { asCaller } from '@lintel/service/data-folder/folder-owner';
import { Decrypter, Encrypter } from 'age-encryption';
import { extract, pack, type Pack } from 'tar-stream';
import { BackupError } from './backup-error.ts';
import {
  type ArchiveFormat,
  type ArchiveManifest,
  type ArchivedFile,
  BACKUP_MANIFEST_PATH,
} from './archive-manifest.ts';

/*
 * A backup and the export of an organization are tar archives, compressed with zstd and encrypted with a passphrase in the
 * age format, so that they can be opened without this program: age -d FILE | zstd -d | tar -x
 */

export interface ArchivedFileSource extends ArchivedFile {
  /** The file on this machine. */
  readonly source: string;
}

/** The cost of guessing the passphrase, as an exponent of 2. The default of age, about a second per guess. */
const DEFAULT_WORK_FACTOR = 18;

export interface BackupArchiveEncryptionOptions {
  readonly passphrase: string;
  readonly workFactor?: number | undefined;
  readonly report?: ReportProgress | undefined;
}

/** Passes chunks on and reports how many bytes of the total they are. */
class ByteCount {
  readonly #report: ReportProgress;
  readonly #step: string;
  readonly #total: number;
  #done = 0;

  constructor(report: ReportProgress, step: string, files: readonly ArchivedFile[]) {
    this.#report = report;
    this.#step = step;
    this.#total = files.reduce((sum, { size }) => sum + size, 0);
  }

  add(bytes: number): void {
    this.#done += bytes;
    this.#report(this.#step, this.#done, this.#total, 'bytes');
  }
}

const addEntries = async (
  archive: Pack,
  manifest: ArchiveManifest,
  files: readonly ArchivedFileSource[],
  report: ReportProgress,
): Promise<void> => {
  const count = new ByteCount(report, 'Writing', files);
  const counting = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      count.add(chunk.length);
      yield chunk;
    }
  };
  archive.entry({ name: BACKUP_MANIFEST_PATH, mode: 0o600 }, `${JSON.stringify(manifest, null, 2)}\n`);
  for (const { path, size, source } of files) {
    await pipeline(createReadStream(source), counting, archive.entry({ name: path, size, mode: 0o600 }));
  }
  archive.finalize();
};

/** Creates the file, private to its owner. Deletes it after an error. */
export const writeBackupArchive = async (
  file: string,
  manifest: ArchiveManifest,
  files: readonly ArchivedFileSource[],
  { passphrase, workFactor = DEFAULT_WORK_FACTOR, report = reportNothing }: BackupArchiveEncryptionOptions,
): Promise<void> => {
  report('Deriving the key from the passphrase');
  const encrypter = new Encrypter();
  encrypter.setScryptWorkFactor(workFactor);
  encrypter.setPassphrase(passphrase);
  const output = createWriteStream(file, { fd: openSync(file, 'wx', 0o600), flush: true });
  try {
    const archive = pack();
    const compressed = createZstdCompress();
    const encrypted = await encrypter.encrypt(Readable.toWeb(compressed) as ReadableStream<Uint8Array>);
    await Promise.all([
      addEntries(archive, manifest, files, report),
      pipeline(archive, compressed),
      pipeline(Readable.fromWeb(encrypted as ReadableStream<Uint8Array>), output),
    ]);
  } catch (error) {
    output.destroy();
    rmSync(file, { force: true });
    throw error;
  }
};

const decrypt = async (file: string, passphrase: string, name: string): Promise<Readable> => {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  const input = createReadStream(file, { fd: asCaller(() => openSync(file, 'r')) });
  try {
    const bytes = await decrypter.decrypt(Readable.toWeb(input) as ReadableStream<Uint8Array>);
    return Readable.fromWeb(bytes as ReadableStream<Uint8Array>);
  } catch (error) {
    input.destroy();
    if (input.errored !== null) throw input.errored;
    if ((error as Error).message.startsWith('no identity matched'))
      throw new BackupError(`Wrong passphrase for ${file}.`, { cause: error });
    throw new BackupError(`${file} is not ${name} of Lintel, or its header is damaged.`, { cause: error });
  }
};

/** Reads everything and returns the digest. */
const copyAndHash = async (entry: Readable, target: Writable, count: ByteCount): Promise<string> => {
  const hash = createHash('sha256');
  const hashing = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      count.add(chunk.length);
      yield chunk;
    }
  };
  await pipeline(entry, hashing, target);
  return hash.digest('hex');
};

const discard = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

export interface BackupArchiveReadCallbacks<M extends ArchiveManifest> {
  /** Called with the manifest, before any file. May throw to stop. */
  readonly onManifest?: (manifest: M) => void;
  /** Where a file is written. Default: the content is only verified. */
  readonly targetOf?: (path: string) => Writable;
  readonly report?: ReportProgress | undefined;
}

/** The declared type of tar-stream lacks the methods of a stream. */
type TarEntry = Readable & { readonly header: { readonly name: string; readonly size: number } };

const MAX_MANIFEST_BYTES = 2 ** 20;
/** Small archives may unpack to this without regard to their size. */
const MIN_EXPANDED_BYTES = 16 * 2 ** 20;

const requireRealisticSize = (files: readonly ArchivedFile[], size: number, maxExpansion: number): void => {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  if (total <= Math.max(MIN_EXPANDED_BYTES, size * maxExpansion)) return;
  throw new BackupError(
    `The file of ${size} bytes unpacks to ${total} bytes, more than ${maxExpansion} times its size.`,
  );
};

const readEntries = async <M extends ArchiveManifest>(
  entries: AsyncIterable<TarEntry>,
  { name: formatName, parseManifest }: ArchiveFormat<M>,
  { onManifest, targetOf = discard, report = reportNothing }: BackupArchiveReadCallbacks<M>,
): Promise<M> => {
  let manifest: M | null = null;
  let count = new ByteCount(report, 'Verifying', []);
  const missing = new Map<string, ArchivedFile>();
  for await (const entry of entries) {
    const { name, size } = entry.header;
    if (manifest === null) {
      if (name !== BACKUP_MANIFEST_PATH) throw new Error('The manifest is not the first entry');
      if (size > MAX_MANIFEST_BYTES)
        throw new BackupError(`The file is not ${formatName}: its manifest is larger than 1 MiB.`);
      manifest = parseManifest(await text(entry));
      onManifest?.(manifest);
      for (const file of manifest.files) missing.set(file.path, file);
      count = new ByteCount(report, 'Verifying', manifest.files);
      continue;
    }
    const expected = missing.get(name);
    if (expected === undefined) throw new Error(`${name} is not in the manifest`);
    if (size !== expected.size) throw new Error(`${name} has ${size} bytes, the manifest says ${expected.size}`);
    if ((await copyAndHash(entry, targetOf(name), count)) !== expected.sha256)
      throw new Error(`${name} differs from the manifest`);
    missing.delete(name);
  }
  if (manifest === null || missing.size > 0) throw new Error('Files are missing');
  return manifest;
};

/** Decrypts the whole archive and verifies every file against the manifest. Throws a BackupError. */
export const readBackupArchive = async <M extends ArchiveManifest>(
  file: string,
  format: ArchiveFormat<M>,
  passphrase: string,
  reader: BackupArchiveReadCallbacks<M> = {},
): Promise<M> => {
  reader.report?.('Deriving the key from the passphrase');
  const decrypted = await decrypt(file, passphrase, format.name);
  const entries = extract();
  const unpacked = pipeline(decrypted, createZstdDecompress(), entries);
  // Reported through `entries`, which it destroys.
  unpacked.catch(() => undefined);
  try {
    const manifest = await readEntries(entries as unknown as AsyncIterable<TarEntry>, format, {
      ...reader,
      onManifest: found => {
        if (format.maxExpansion !== undefined)
          requireRealisticSize(found.files, asCaller(() => statSync(file)).size, format.maxExpansion);
        reader.onManifest?.(found);
      },
    });
    await unpacked;
    return manifest;
  } catch (error) {
    entries.destroy();
    if (error instanceof BackupError || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw new BackupError(`${file} is damaged or incomplete. ${format.advice}`, { cause: error });
  }
};
