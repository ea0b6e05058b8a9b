import type { ReleaseResponse } from '@lintel/wire-protocol/admin/release';
import { sendAdminRequest } from '../api/send-request.ts';
import type { OrganizationClient } from '../api/organization-client.ts';

/** Small enough for one request on a slow connection. */
const PART_BYTES = 1024 * 1024;

const digestOf = async (file: Blob): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(digest)].map(byte => byte.toString(16).padStart(2, '0')).join('');
};

/** Sends an archive in parts. `onProgress` receives the sent share, from 0 to 1. */
export const uploadRelease = async (
  client: OrganizationClient,
  file: Blob,
  onProgress: (share: number) => void,
): Promise<ReleaseResponse> => {
  const digest = await digestOf(file);
  for (let offset = 0; offset < file.size; offset += PART_BYTES) {
    const part = file.slice(offset, offset + PART_BYTES);
    await sendAdminRequest('PUT', client.pathOf(`/release_uploads/${digest}?offset=${offset}`), part);
    onProgress(Math.min(1, (offset + part.size) / file.size));
  }
  return sendAdminRequest<ReleaseResponse>('POST', client.pathOf(`/releases?upload=${digest}`));
};
