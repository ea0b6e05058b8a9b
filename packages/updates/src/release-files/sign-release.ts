import { copyFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createPublicKey } from 'node:crypto';
import { releaseSigningBytes } from '@lintel/wire-protocol/updates/release-manifest';
import { MANIFEST, readRelease, SIGNATURE, type VerifiedRelease } from './read-release.ts';
import type { ReleaseSigner } from './release-keys.ts';
import { ReleaseError } from './release-error.ts';
import { BLOCK, paddingOf, readTarHeader } from './tar-header.ts';
import { piecesOf } from './write-release.ts';

const LARGEST_MANIFEST = 3 * 1024 * 1024;

/** A copy under another key, for the time in which one key takes over from another. All of it is checked. */
export const signRelease = async (from: string, signer: ReleaseSigner, to: string): Promise<VerifiedRelease> => {
  copyFileSync(from, to);
  try {
    await replaceSignature(to, signer);
    const byId = new Map([[signer.keyId, createPublicKey(signer.publicPem)]]);
    return await readRelease(piecesOf(to), { byId, problems: [] });
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  }
};

const replaceSignature = async (file: string, signer: ReleaseSigner): Promise<void> => {
  const handle = await open(file, 'r+');
  const headerAt = async (at: number) => readTarHeader((await handle.read(Buffer.alloc(BLOCK), 0, BLOCK, at)).buffer);
  try {
    const manifest = await headerAt(0);
    if (manifest?.name !== MANIFEST || manifest.size > LARGEST_MANIFEST)
      throw new ReleaseError('not_a_release', 'the file is no release archive');
    const { buffer } = await handle.read(Buffer.alloc(manifest.size), 0, manifest.size, BLOCK);
    const at = BLOCK + manifest.size + paddingOf(manifest.size);
    const signature = Buffer.from(signer.sign(releaseSigningBytes(buffer))).toString('base64url');
    const text = Buffer.from(JSON.stringify({ v: 1, key_id: signer.keyId, signature }));
    const header = await headerAt(at);
    if (header?.name !== SIGNATURE || header.size !== text.length)
      throw new ReleaseError('damaged', 'the archive is damaged where its signature should be');
    await handle.write(text, 0, text.length, at + BLOCK);
  } finally {
    await handle.close();
  }
};
