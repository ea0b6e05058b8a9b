import { copyFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createPublicKey } from 'node:crypto';
import { encodeReleaseSigningBytes } from '@lintel/wire-protocol/updates/release-manifest';
import { RELEASE_MANIFEST_NAME, readRelease, RELEASE_SIGNATURE_NAME, type VerifiedRelease } from './read-release.ts';
import type { ReleaseSigner } from './release-keys.ts';
import { ReleaseError } from './release-error.ts';
import { TAR_BLOCK_BYTES, countTarPaddingBytes, readTarHeader } from './tar-header.ts';
import { openReleaseFile } from './write-release.ts';

const MAX_MANIFEST_BYTES = 3 * 1024 * 1024;

/** Writes a copy that is signed with another key, for key rotation, and verifies it. */
export const signReleaseCopy = async (from: string, signer: ReleaseSigner, to: string): Promise<VerifiedRelease> => {
  copyFileSync(from, to);
  try {
    await replaceSignature(to, signer);
    const byId = new Map([[signer.keyId, createPublicKey(signer.publicPem)]]);
    return await readRelease(openReleaseFile(to), { byId, problems: [] });
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  }
};

const replaceSignature = async (file: string, signer: ReleaseSigner): Promise<void> => {
  const handle = await open(file, 'r+');
  const headerAt = async (at: number) =>
    readTarHeader((await handle.read(Buffer.alloc(TAR_BLOCK_BYTES), 0, TAR_BLOCK_BYTES, at)).buffer);
  try {
    const manifest = await headerAt(0);
    if (manifest?.name !== RELEASE_MANIFEST_NAME || manifest.size > MAX_MANIFEST_BYTES)
      throw new ReleaseError('not_a_release', 'The file is not a release archive');
    const { buffer } = await handle.read(Buffer.alloc(manifest.size), 0, manifest.size, TAR_BLOCK_BYTES);
    const at = TAR_BLOCK_BYTES + manifest.size + countTarPaddingBytes(manifest.size);
    const signature = Buffer.from(signer.sign(encodeReleaseSigningBytes(buffer))).toString('base64url');
    const text = Buffer.from(JSON.stringify({ v: 1, key_id: signer.keyId, signature }));
    const header = await headerAt(at);
    if (header?.name !== RELEASE_SIGNATURE_NAME || header.size !== text.length)
      throw new ReleaseError('damaged', 'The archive is damaged: the signature is missing');
    await handle.write(text, 0, text.length, at + TAR_BLOCK_BYTES);
  } finally {
    await handle.close();
  }
};
