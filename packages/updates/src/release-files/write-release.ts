import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import type { Instant } from '@lintel/access-core/instant';
import { parseWith } from '@lintel/wire-protocol/schema-parts/parse-with';
import {
  type ReleaseFile,
  type ReleaseManifest,
  releaseManifest,
  releaseSigningBytes,
} from '@lintel/wire-protocol/updates/release-manifest';
import { FILES, MANIFEST, SIGNATURE } from './read-release.ts';
import type { ReleaseSigner } from './release-keys.ts';
import { paddingOf, tarEnd, tarHeader } from './tar-header.ts';

const compress = promisify(gzip);

export interface PayloadFile {
  readonly path: string;
  readonly isExecutable: boolean;
  readonly read: () => Uint8Array;
}

export interface ReleasePlan
  extends Pick<ReleaseManifest, 'program' | 'version' | 'arch' | 'entry' | 'minimum_version' | 'allow_downgrade'> {
  readonly createdAt: Instant;
  readonly files: readonly PayloadFile[];
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const compressed = async (bytes: Uint8Array): Promise<Buffer> => {
  const stored = await compress(bytes, { level: 9 });
  // The system that it was compressed on is in its header, and is nobody's business.
  stored[9] = 0xff;
  return stored;
};

interface Packed {
  readonly file: ReleaseFile;
  readonly stored: Buffer;
}

const packed = async ({ path, isExecutable, read }: PayloadFile): Promise<Packed> => {
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

const manifestOf = ({ createdAt, files: _, ...plan }: ReleasePlan, files: readonly ReleaseFile[]): ReleaseManifest => {
  const parsed = parseWith(releaseManifest, { v: 1, ...plan, created_at: dateTimeOf(createdAt), files });
  if (parsed.ok) return parsed.value;
  throw new Error(parsed.problems.map(({ path, message }) => `${path} ${message}`).join(', '));
};

/** Written to `to`, which must not be there yet. The same plan and key make the same bytes. */
export const writeRelease = async (plan: ReleasePlan, signer: ReleaseSigner, to: string): Promise<ReleaseManifest> => {
  const files: Packed[] = [];
  for (const file of plan.files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) files.push(await packed(file));
  const manifest = manifestOf(
    plan,
    files.map(({ file }) => file),
  );
  const bytes = Buffer.from(JSON.stringify(manifest));
  const signature = Buffer.from(signer.sign(releaseSigningBytes(bytes))).toString('base64url');
  const out = createWriteStream(to, { flags: 'wx' });
  await once(out, 'open');
  const add = async (name: string, content: Uint8Array): Promise<void> => {
    for (const part of [tarHeader({ name, size: content.length }), content, Buffer.alloc(paddingOf(content.length))])
      if (part.length > 0 && !out.write(part)) await once(out, 'drain');
  };
  await add(MANIFEST, bytes);
  await add(SIGNATURE, Buffer.from(JSON.stringify({ v: 1, key_id: signer.keyId, signature })));
  for (const one of files) await add(`${FILES}${one.file.path}`, one.stored);
  out.end(tarEnd());
  await once(out, 'close');
  return manifest;
};

/** In pieces, for reading a release. */
export const piecesOf = (file: string): AsyncIterable<Uint8Array> => createReadStream(file, { highWaterMark: 1 << 18 });
