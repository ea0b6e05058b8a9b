import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { encodeLengthPrefixed } from '../encoding/length-prefixed.ts';
import { releaseVersionSchema } from './release-version.ts';

export const releaseArchitectures = ['arm64', 'amd64', 'all'] as const;

const LONGEST_PATH = 200;
const MOST_FILES = 20_000;
const LARGEST_FILE = 1024 ** 3;

const hasControlCharacter = (text: string): boolean => Array.from(text).some(one => one < ' ' || one === '\u007f');

/** Stays within the folder that the release is unpacked into. */
const isSafeReleasePath = (path: string): boolean =>
  path.length > 0 &&
  path.length <= LONGEST_PATH &&
  path.isWellFormed() &&
  !path.includes('\\') &&
  !hasControlCharacter(path) &&
  path.split('/').every(part => part !== '' && part !== '.' && part !== '..');

const safePath = z
  .string()
  .refine(isSafeReleasePath, { error: 'must be a path inside the release', params: { code: 'unsafe_path' } });
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be SHA-256 in lower-case hex' });
const size = z.int().min(0).max(LARGEST_FILE);

const releaseFile = z.object({
  path: safePath,
  is_executable: z.boolean(),
  /** The unpacked size. */
  size,
  sha256,
  /** The compressed size and hash, in the archive (gzip). */
  stored_size: size,
  stored_sha256: sha256,
});
export type ReleaseManifestFile = z.infer<typeof releaseFile>;

/** Duplicate paths, or a path that is both a file and a folder. */
const collision = (files: readonly ReleaseManifestFile[]): string | null => {
  const paths = new Set(files.map(({ path }) => path));
  if (paths.size < files.length) return 'files must have different paths';
  for (const path of paths) {
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
      if (paths.has(path.slice(0, at))) return `${path.slice(0, at)} must not be both a file and a folder`;
  }
  return null;
};

/** Describes a release with the hash of every file. Unknown fields are ignored. */
export const releaseManifestSchema = z
  .object({
    v: z.literal(1),
    program: z.string().regex(/^[a-z][a-z-]{0,31}$/, { error: 'must be the name of a program' }),
    version: releaseVersionSchema,
    arch: z.enum(releaseArchitectures),
    /** The file to start. */
    entry: safePath,
    /** The oldest version that can be updated to this one; null: any. */
    minimum_version: releaseVersionSchema.nullable(),
    /** Allows the installation over a newer version. */
    allow_downgrade: z.boolean(),
    created_at: dateTimeSchema,
    files: z.array(releaseFile).min(1).max(MOST_FILES),
  })
  .check(({ value: { entry, files }, issues }) => {
    const clash = collision(files);
    if (clash !== null) issues.push({ code: 'custom', input: files, path: ['files'], message: clash });
    const started = files.find(({ path }) => path === entry);
    if (started?.is_executable === true) return;
    issues.push({
      code: 'custom',
      input: entry,
      path: ['entry'],
      message: 'must be an executable file of the release',
    });
  });
export type ReleaseManifest = z.infer<typeof releaseManifestSchema>;

/** Stored beside the manifest in the archive. */
export const releaseSignatureSchema = z.object({
  v: z.literal(1),
  key_id: z.string().regex(/^[0-9a-f]{16}$/, { error: 'must be the id of a key' }),
  signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/, { error: 'must be 64 bytes in base64url' }),
});

const DOMAIN = 'lintel release 1';

/** Covers the exact bytes of the manifest, without parsing it first. */
export const encodeReleaseSigningBytes = (manifest: Uint8Array): Uint8Array => encodeLengthPrefixed([DOMAIN, manifest]);

export const computeUnpackedSize = ({ files }: ReleaseManifest): number =>
  files.reduce((sum, file) => sum + file.size, 0);
