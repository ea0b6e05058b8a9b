import { z } from 'zod';
import { BackupError } from './backup-error.ts';

/** Relative paths without `.` and `..` segments. */
const archivePath = z.string().regex(/^(?!\.{1,2}(?:\/|$))[\w.+-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.+-]+)*$/);

const manifestFile = z.object({
  path: archivePath,
  size: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** The first entry of a backup. Lists all others. */
const manifest = z.object({
  format: z.literal('lintel-backup'),
  version: z.literal(1),
  created_at: z.iso.datetime(),
  engine: z.enum(['sqlite', 'postgres']),
  has_keys: z.boolean(),
  /** Names of the migrations that the database has. */
  migrations: z.array(z.string()),
  files: z.array(manifestFile),
});

export type Manifest = z.infer<typeof manifest>;
export type ManifestFile = z.infer<typeof manifestFile>;

export const MANIFEST_PATH = 'manifest.json';
export const SQLITE_PATH = 'bridge.sqlite';
export const POSTGRES_PATH = 'database.dump';

/** Throws a BackupError. */
export const parseManifest = (text: string): Manifest => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = null;
  }
  const { version } = (json ?? {}) as { readonly version?: unknown };
  if (typeof version === 'number' && version > 1)
    throw new BackupError('The backup was made by a newer version of this program. Update this program.');
  const parsed = manifest.safeParse(json);
  if (!parsed.success) throw new BackupError('The manifest of the backup is not valid. Use another backup.');
  return parsed.data;
};
