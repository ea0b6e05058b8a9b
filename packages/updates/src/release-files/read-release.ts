import { createHash, verify } from 'node:crypto';
import { parseJsonBytes } from '@lintel/wire-protocol/encoding/parse-json-bytes';
import { parseWithSchema } from '@lintel/wire-protocol/schema-parts/parse-with-schema';
import {
  type ReleaseManifestFile,
  type ReleaseManifest,
  releaseManifestSchema,
  releaseSignatureSchema,
  encodeReleaseSigningBytes,
} from '@lintel/wire-protocol/updates/release-manifest';
import type { Problem } from '@lintel/access-core/result';
import { DigestingByteReader } from './digesting-byte-reader.ts';
import type { ReleasePublicKeys } from './release-keys.ts';
import { ReleaseError } from './release-error.ts';
import { TAR_BLOCK_BYTES, isEmptyTarBlock, countTarPaddingBytes, readTarHeader } from './tar-header.ts';

/** Names in an archive: these two first, then the files in the order of the manifest. */
export const RELEASE_MANIFEST_NAME = 'manifest.json';
export const RELEASE_SIGNATURE_NAME = 'manifest.sig';
export const RELEASE_FILES_PREFIX = 'files/';

const MAX_MANIFEST_BYTES = 3 * 1024 * 1024;
const MAX_SIGNATURE_BYTES = 1024;

export interface VerifiedRelease {
  readonly manifest: ReleaseManifest;
  readonly keyId: string;
  /** Of the whole archive. */
  readonly sha256: string;
  readonly size: number;
}

/** Receives the compressed file. Must read it to its end. */
type OnFile = (file: ReleaseManifestFile, stored: AsyncIterable<Buffer>) => Promise<void>;

interface ReadReleaseOptions {
  /** Called after the signature was verified, before any file is read. Throws a ReleaseError to reject the release. */
  readonly checkManifest?: (manifest: ReleaseManifest) => void | Promise<void>;
  readonly onFile?: OnFile;
}

const truncated = (): ReleaseError => new ReleaseError('truncated', 'The archive is truncated. Copy it again');

const readEntryHeader = async (source: DigestingByteReader, name: string, maxSize: number): Promise<number> => {
  const block = await source.readExactly(TAR_BLOCK_BYTES);
  if (block === null) throw source.count === 0 ? notARelease() : truncated();
  const entry = readTarHeader(block);
  if (entry?.name !== name || entry.size > maxSize) {
    if (name === RELEASE_MANIFEST_NAME) throw notARelease();
    throw new ReleaseError('damaged', `The archive is damaged: ${name} is missing`);
  }
  return entry.size;
};

const notARelease = (): ReleaseError => new ReleaseError('not_a_release', 'The file is not a release archive');

const skipPadding = async (source: DigestingByteReader, size: number): Promise<void> => {
  if ((await source.readExactly(countTarPaddingBytes(size))) === null) throw truncated();
};

const readSmallFile = async (source: DigestingByteReader, name: string, maxSize: number): Promise<Buffer> => {
  const size = await readEntryHeader(source, name, maxSize);
  const bytes = await source.readExactly(size);
  if (bytes === null) throw truncated();
  await skipPadding(source, size);
  return bytes;
};

const describeProblems = (problems: readonly Problem[]): string =>
  problems.map(({ path, message }) => `${path} ${message}`.trim()).join(', ');

const parseManifest = (bytes: Buffer): ReleaseManifest => {
  const json = parseJsonBytes(bytes);
  const parsed = json.ok ? parseWithSchema(releaseManifestSchema, json.value) : json;
  if (parsed.ok) return parsed.value;
  const code = parsed.problems.some(problem => problem.code === 'unsafe_path') ? 'unsafe_path' : 'damaged';
  throw new ReleaseError(code, `The manifest of the release is invalid: ${describeProblems(parsed.problems)}`);
};

const checkSignature = (manifest: Buffer, text: Buffer, { byId, problems }: ReleasePublicKeys): string => {
  const json = parseJsonBytes(text);
  const parsed = json.ok ? parseWithSchema(releaseSignatureSchema, json.value) : json;
  if (!parsed.ok)
    throw new ReleaseError('bad_signature', `The release has no valid signature: ${describeProblems(parsed.problems)}`);
  const { key_id, signature } = parsed.value;
  const key = byId.get(key_id);
  if (key === undefined) {
    const known =
      byId.size === 0 ? 'No release keys are installed on this machine' : `Known keys: ${[...byId.keys()].join(', ')}`;
    const details = problems.length === 0 ? '' : `. ${problems.join('. ')}`;
    throw new ReleaseError('unknown_key', `The release is signed with the unknown key ${key_id}. ${known}${details}`);
  }
  if (!verify(null, encodeReleaseSigningBytes(manifest), key, Buffer.from(signature, 'base64url')))
    throw new ReleaseError('bad_signature', `The signature of the release does not match the key ${key_id}`);
  return key_id;
};

const skipFile: OnFile = async (_, stored) => {
  for await (const _chunk of stored);
};

const readFile = async (source: DigestingByteReader, file: ReleaseManifestFile, onFile: OnFile): Promise<void> => {
  const size = await readEntryHeader(source, `${RELEASE_FILES_PREFIX}${file.path}`, file.stored_size);
  if (size !== file.stored_size) throw new ReleaseError('damaged', `${file.path} does not have its signed size`);
  const hash = createHash('sha256');
  const start = source.count;
  const hashed = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of source.readChunks(size)) {
      hash.update(chunk);
      yield chunk;
    }
    if (source.count - start < size) throw truncated();
  };
  await onFile(file, hashed());
  if (source.count - start < size) throw truncated();
  if (hash.digest('hex') !== file.stored_sha256)
    throw new ReleaseError('damaged', `${file.path} does not match its signed checksum`);
  await skipPadding(source, size);
};

const readEnd = async (source: DigestingByteReader): Promise<void> => {
  const end = await source.readExactly(2 * TAR_BLOCK_BYTES);
  if (end === null) throw truncated();
  if (!isEmptyTarBlock(end) || (await source.readSome(1)) !== null)
    throw new ReleaseError('damaged', 'The archive contains unsigned data');
};

/**
 * Reads an archive to its end and verifies every byte. Callbacks run after the signature was verified, but a file may still be damaged:
 * read the archive once without `onFile` to verify all of it first.
 */
export const readRelease = async (
  chunks: AsyncIterable<Uint8Array>,
  keys: ReleasePublicKeys,
  { checkManifest, onFile = skipFile }: ReadReleaseOptions = {},
): Promise<VerifiedRelease> => {
  const source = new DigestingByteReader(chunks);
  try {
    const bytes = await readSmallFile(source, RELEASE_MANIFEST_NAME, MAX_MANIFEST_BYTES);
    const keyId = checkSignature(bytes, await readSmallFile(source, RELEASE_SIGNATURE_NAME, MAX_SIGNATURE_BYTES), keys);
    const manifest = parseManifest(bytes);
    await checkManifest?.(manifest);
    for (const file of manifest.files) await readFile(source, file, onFile);
    await readEnd(source);
    return { manifest, keyId, size: source.count, sha256: source.digest() };
  } finally {
    await source.close();
  }
};
