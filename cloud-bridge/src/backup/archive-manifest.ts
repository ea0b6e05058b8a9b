import { z } from 'zod';
import { BackupError } from './backup-error.ts';

/** Relative paths without `.` and `..` segments. */
const archivePath = z.string().regex(/^(?!\.{1,2}(?:\/|$))[\w.+-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.+-]+)*$/);

const archivedFileSchema = z.object({
  path: archivePath,
  size: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** Permits only the files that the format has, each once. */
export const archivedFilesSchema = (isFileOfFormat: (path: string) => boolean) =>
  z
    .array(archivedFileSchema)
    .refine(files => files.every(({ path }) => isFileOfFormat(path)))
    .refine(files => new Set(files.map(({ path }) => path)).size === files.length);

export const BACKUP_MANIFEST_PATH = 'manifest.json';
export const BACKUP_SQLITE_PATH = 'bridge.sqlite';
export const BACKUP_POSTGRES_PATH = 'database.dump';

export const backupKeyFileNames = ['master-keys.json', 'ca.pem', 'ca-key.pem'];
export const backupStateFileNames = ['folder-kind', 'database-created'];

const backupFileNames: ReadonlySet<string> = new Set([
  BACKUP_SQLITE_PATH,
  BACKUP_POSTGRES_PATH,
  ...backupKeyFileNames,
  ...backupStateFileNames,
]);

const isFileOfBackup = (path: string): boolean =>
  backupFileNames.has(path) || /^release-keys\/[^/]+$/.test(path) || /^releases\/[^/]+\.release$/.test(path);

/** The first entry of a backup. Lists all others. */
const manifest = z.object({
  format: z.literal('lintel-backup'),
  version: z.literal(1),
  created_at: z.iso.datetime(),
  engine: z.enum(['sqlite', 'postgres']),
  has_keys: z.boolean(),
  /** Names of the migrations that the database has. */
  migrations: z.array(z.string()),
  /** What the database holds. Backups of earlier versions do not say it. */
  contents: z.object({ organizations: z.int().min(0), members: z.int().min(0) }).optional(),
  files: archivedFilesSchema(isFileOfBackup),
});

export type BackupManifest = z.infer<typeof manifest>;
export type ArchivedFile = z.infer<typeof archivedFileSchema>;

/** What the manifests of all formats have. */
export interface ArchiveManifest {
  readonly files: readonly ArchivedFile[];
}

export interface ArchiveFormat<M extends ArchiveManifest> {
  /** With its article, for error messages. */
  readonly name: string;
  /** What to do about a damaged file. */
  readonly advice: string;
  /** The most that the files may have unpacked, as a multiple of the archive. Default: only the disk limits it. */
  readonly maxExpansion?: number;
  /** Throws a BackupError. */
  readonly parseManifest: (text: string) => M;
}

/** Parses a manifest of version 1. Throws a BackupError. */
export const parseArchiveManifest = <M>(
  schema: z.ZodType<M>,
  text: string,
  { name, advice }: { name: string; advice: string },
): M => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = null;
  }
  const { version } = (json ?? {}) as { readonly version?: unknown };
  if (typeof version === 'number' && version > 1)
    throw new BackupError(`The file is ${name} of a newer version of this program. Update this program.`);
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw new BackupError(`The file is not ${name}, or its manifest is not valid. ${advice}`);
  return parsed.data;
};

const description = { name: 'a backup', advice: 'Use another backup.' };

export const backupArchiveFormat: ArchiveFormat<BackupManifest> = {
  ...description,
  parseManifest: text => parseArchiveManifest(manifest, text, description),
};

/** `2 organizations, 310 members`. */
export const describeContents = ({ contents }: BackupManifest): string => {
  if (contents === undefined) return 'the database';
  const { organizations, members } = contents;
  const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
  return `${count(organizations, 'organization')}, ${count(members, 'member')}`;
};
