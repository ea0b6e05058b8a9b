import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import type { Instant } from '@lintel/access-core/instant';
import { parseWithSchema } from '@lintel/wire-protocol/schema-parts/parse-with-schema';
import {
  type ReleaseManifestFile,
  type ReleaseManifest,
  releaseManifestSchema,
  encodeReleaseSigningBytes,
} from '@lintel/wire-protocol/updates/release-manifest';
import { RELEASE_FILES_PREFIX, RELEASE_MANIFEST_NAME, RELEASE_SIGNATURE_NAME } from './read-release.ts';
import type { ReleaseSigner } from './release-keys.ts';
import { countTarPaddingBytes, createTarEnd, createTarHeader } from './tar-header.ts';

const compress = promisify(gzip);

export interface ReleasePayloadFile {
  readonly path: string;
  readonly isExecutable: boolean;
  readonly read: () => Uint8Array;
}

export interface ReleaseDefinition
  extends Pick<ReleaseManifest, 'program' | 'version' | 'arch' | 'entry' | 'minimum_version' | 'allow_downgrade'> {
  readonly createdAt: Instant;
  readonly files: readonly ReleasePayloadFile[];
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const compressed = async (bytes: Uint8Array): Promise<Buffer> => {
  const stored = await compress(bytes, { level: 9 });
  // The gzip header names the operating system, which would make builds differ.
  stored[9] = 0xff;
  return stored;
};

interface PackedFile {
  readonly file: ReleaseManifestFile;
  readonly stored: Buffer;
}

const packFile = async ({ path, isExecutable, read }: ReleasePayloadFile): Promise<PackedFile> => {
  const bytes = read();
  const stored = await compressed(bytes);
  const file = {
    path,
    is_executable: isExecutable,
    size: bytes.length,
    sha256: sha256(bytes),
    stored_size: stored.length,
    stored_sha256: sha256(stored),
  };
  return { file, stored };
};

const manifestOf = (
  { createdAt, files: _, ...plan }: ReleaseDefinition,
  files: readonly ReleaseManifestFile[],
): ReleaseManifest => {
  const parsed = parseWithSchema(releaseManifestSchema, { v: 1, ...plan, created_at: toDateTime(createdAt), files });
  if (parsed.ok) return parsed.value;
  throw new Error(parsed.problems.map(({ path, message }) => `${path} ${message}`).join(', '));
};

/** Writes the archive to `to`, which must not exist. The same definition and key give the same bytes. */
export const writeRelease = async (
  definition: ReleaseDefinition,
  signer: ReleaseSigner,
  to: string,
): Promise<ReleaseManifest> => {
  const files: PackedFile[] = [];
  for (const file of definition.files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) files.push(await packFile(file));
  const manifest = manifestOf(
    definition,
    files.map(({ file }) => file),
  );
  const bytes = Buffer.from(JSON.stringify(manifest));
  const signature = Buffer.from(signer.sign(encodeReleaseSigningBytes(bytes))).toString('base64url');
  const out = createWriteStream(to, { flags: 'wx' });
  await once(out, 'open');
  const add = async (name: string, content: Uint8Array): Promise<void> => {
    for (const bytes of [
      createTarHeader({ name, size: content.length }),
      content,
      Buffer.alloc(countTarPaddingBytes(content.length)),
    ])
      if (bytes.length > 0 && !out.write(bytes)) await once(out, 'drain');
  };
  await add(RELEASE_MANIFEST_NAME, bytes);
  await add(RELEASE_SIGNATURE_NAME, Buffer.from(JSON.stringify({ v: 1, key_id: signer.keyId, signature })));
  for (const { file, stored } of files) await add(`${RELEASE_FILES_PREFIX}${file.path}`, stored);
  out.end(createTarEnd());
  await once(out, 'close');
  return manifest;
};

/** Opens a release file for `readRelease`. */
export const openReleaseFile = (file: string): AsyncIterable<Uint8Array> =>
  createReadStream(file, { highWaterMark: 1 << 18 });
