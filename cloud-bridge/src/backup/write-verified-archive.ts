import { createHash } from 'node:crypto';
import { createReadStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { asCaller, writeAsCaller } from '@lintel/service/data-folder/folder-owner';
import { flushFolderSync } from '@lintel/service/data-folder/flush-folder';
import {
  type ArchivedFileSource,
  type BackupArchiveEncryptionOptions,
  readBackupArchive,
  writeBackupArchive,
} from './encrypted-archive.ts';
import { BackupError } from './backup-error.ts';
import type { ArchiveFormat, ArchiveManifest } from './archive-manifest.ts';

export const createArchivedFileSource = async (path: string, source: string): Promise<ArchivedFileSource> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(source), hash);
  return { path, source, size: statSync(source).size, sha256: hash.digest('hex') };
};

/** Throws a BackupError before the work if the file exists, or its folder does not. */
export const requireUnusedArchivePath = (out: string): void =>
  asCaller(() => {
    if (existsSync(out)) throw new BackupError(`${out} already exists. Choose another file.`);
    if (!existsSync(dirname(out)))
      throw new BackupError(`${dirname(out)} does not exist. Create it, or choose another folder.`);
  });

/** Writes the archive. The file appears only after it was read back and verified. Throws a BackupError. */
export const writeVerifiedArchive = async <M extends ArchiveManifest>(
  out: string,
  format: ArchiveFormat<M>,
  manifest: M,
  sources: readonly ArchivedFileSource[],
  passphrase: BackupArchiveEncryptionOptions,
): Promise<void> => {
  await writeAsCaller(out, async () => {
    const draft = `${out}.new`;
    rmSync(draft, { force: true });
    await writeBackupArchive(draft, manifest, sources, passphrase);
    try {
      await readBackupArchive(draft, format, passphrase.passphrase, { report: passphrase.report });
      renameSync(draft, out);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
    flushFolderSync(dirname(out));
  });
};
