import { createHash, verify } from 'node:crypto';
import { parseJsonBytes } from '@lintel/wire-protocol/encoding/json-bytes';
import { parseWith } from '@lintel/wire-protocol/schema-parts/parse-with';
import {
  type ReleaseFile,
  type ReleaseManifest,
  releaseManifest,
  releaseSignature,
  releaseSigningBytes,
} from '@lintel/wire-protocol/updates/release-manifest';
import type { Problem } from '@lintel/access-core/result';
import { ByteSource } from './byte-source.ts';
import type { ReleaseKeys } from './release-keys.ts';
import { ReleaseError } from './release-error.ts';
import { BLOCK, isEmptyBlock, paddingOf, readTarHeader } from './tar-header.ts';

/** The names in an archive: these two first, then the files in the order of the manifest. */
export const MANIFEST = 'manifest.json';
export const SIGNATURE = 'manifest.sig';
export const FILES = 'files/';

const LARGEST_MANIFEST = 3 * 1024 * 1024;
const LARGEST_SIGNATURE = 1024;

export interface VerifiedRelease {
  readonly manifest: ReleaseManifest;
  readonly keyId: string;
  /** Of the whole archive. */
  readonly sha256: string;
  readonly size: number;
}

/** Gets a file as it is stored, compressed. It must read it to its end. */
type TakeFile = (file: ReleaseFile, stored: AsyncIterable<Buffer>) => Promise<void>;

interface Reading {
  /** Asked once the signature is good, before any file is read. Throws a ReleaseError. */
  readonly judge?: (manifest: ReleaseManifest) => void | Promise<void>;
  readonly take?: TakeFile;
}

const truncated = (): ReleaseError =>
  new ReleaseError('truncated', 'the archive ends in the middle: it was not copied whole');

const entryNamed = async (source: ByteSource, name: string, largest: number): Promise<number> => {
  const block = await source.whole(BLOCK);
  if (block === null) throw source.count === 0 ? notARelease() : truncated();
  const entry = readTarHeader(block);
  if (entry?.name !== name || entry.size > largest) {
    if (name === MANIFEST) throw notARelease();
    throw new ReleaseError('damaged', `the archive is damaged where ${name} should be`);
  }
  return entry.size;
};

const notARelease = (): ReleaseError => new ReleaseError('not_a_release', 'the file is no release archive');

const skipPadding = async (source: ByteSource, size: number): Promise<void> => {
  if ((await source.whole(paddingOf(size))) === null) throw truncated();
};

const smallFile = async (source: ByteSource, name: string, largest: number): Promise<Buffer> => {
  const size = await entryNamed(source, name, largest);
  const bytes = await source.whole(size);
  if (bytes === null) throw truncated();
  await skipPadding(source, size);
  return bytes;
};

const inWords = (problems: readonly Problem[]): string =>
  problems.map(({ path, message }) => `${path} ${message}`.trim()).join(', ');

const parsedManifest = (bytes: Buffer): ReleaseManifest => {
  const json = parseJsonBytes(bytes);
  const parsed = json.ok ? parseWith(releaseManifest, json.value) : json;
  if (parsed.ok) return parsed.value;
  const code = parsed.problems.some(problem => problem.code === 'unsafe_path') ? 'unsafe_path' : 'damaged';
  throw new ReleaseError(code, `the manifest of the release is not valid: ${inWords(parsed.problems)}`);
};

const checkSignature = (manifest: Buffer, text: Buffer, { byId, problems }: ReleaseKeys): string => {
  const json = parseJsonBytes(text);
  const parsed = json.ok ? parseWith(releaseSignature, json.value) : json;
  if (!parsed.ok) throw new ReleaseError('bad_signature', `the release is not signed: ${inWords(parsed.problems)}`);
  const { key_id, signature } = parsed.value;
  const key = byId.get(key_id);
  if (key === undefined) {
    const known = byId.size === 0 ? 'no key is known here' : `known are ${[...byId.keys()].join(', ')}`;
    const also = problems.length === 0 ? '' : `; ${problems.join('; ')}`;
    throw new ReleaseError('unknown_key', `the release is signed with the key ${key_id}, and ${known}${also}`);
  }
  if (!verify(null, releaseSigningBytes(manifest), key, Buffer.from(signature, 'base64url')))
    throw new ReleaseError('bad_signature', `the signature of the release does not fit the key ${key_id}`);
  return key_id;
};

const drained: TakeFile = async (_, stored) => {
  for await (const _piece of stored);
};

const readFile = async (source: ByteSource, file: ReleaseFile, take: TakeFile): Promise<void> => {
  const size = await entryNamed(source, `${FILES}${file.path}`, file.stored_size);
  if (size !== file.stored_size) throw new ReleaseError('damaged', `${file.path} has not the size that was signed`);
  const hash = createHash('sha256');
  const start = source.count;
  const hashed = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of source.take(size)) {
      hash.update(piece);
      yield piece;
    }
    if (source.count - start < size) throw truncated();
  };
  await take(file, hashed());
  if (source.count - start < size) throw truncated();
  if (hash.digest('hex') !== file.stored_sha256)
    throw new ReleaseError('damaged', `${file.path} is not what was signed`);
  await skipPadding(source, size);
};

const readEnd = async (source: ByteSource): Promise<void> => {
  const end = await source.whole(2 * BLOCK);
  if (end === null) throw truncated();
  if (!isEmptyBlock(end) || (await source.some(1)) !== null)
    throw new ReleaseError('damaged', 'the archive has something in it that was not signed');
};

/**
 * Reads an archive from its beginning to its end, each byte held against the signature. Nothing is handed on before the
 * signature is known to be good; whoever wants to be sure of all of it reads it once before taking anything.
 */
export const readRelease = async (
  pieces: AsyncIterable<Uint8Array>,
  keys: ReleaseKeys,
  { judge, take = drained }: Reading = {},
): Promise<VerifiedRelease> => {
  const source = new ByteSource(pieces);
  try {
    const bytes = await smallFile(source, MANIFEST, LARGEST_MANIFEST);
    const keyId = checkSignature(bytes, await smallFile(source, SIGNATURE, LARGEST_SIGNATURE), keys);
    const manifest = parsedManifest(bytes);
    await judge?.(manifest);
    for (const file of manifest.files) await readFile(source, file, take);
    await readEnd(source);
    return { manifest, keyId, size: source.count, sha256: source.digest() };
  } finally {
    await source.end();
  }
};
