import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { MasterKeys } from '../secrets/master-keys.ts';

/** What a bridge asked a controller to do, and for whom. */
export interface BridgeRequest {
  readonly deviceId: string;
  /** Null for operations of a technician. */
  readonly action: { readonly gadgetId: string; readonly actionId: string } | null;
  /** The ids of who acts, by field. Absent and null fields are equal. */
  readonly subject: Readonly<Record<string, unknown>>;
}

const RANDOM_BYTES = 12;
/** Beginning of an id: the version of the master key, the time, and the random part. */
const form = /^(\d{1,9})\.([0-9a-z]{1,11})\.[\w-]{16}(?=\.)/;

const computeCode = (keys: MasterKeys, version: number, start: string, request: BridgeRequest): Buffer => {
  const { deviceId, action, subject } = request;
  const fields = Object.entries(subject)
    .filter(([, value]) => value != null)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const content = [deviceId, action === null ? null : [action.gadgetId, action.actionId], fields, start];
  return createHmac('sha256', keys.derivedKeys(version).blinding)
    .update(`lintel request 1\n${JSON.stringify(content)}`)
    .digest();
};

/**
 * The id of a request to a controller. The controller returns it with what it reports about the request, even weeks later
 * and to another bridge, so it contains a code that only bridges can compute: it proves who made the request.
 */
export const createRequestId = (keys: MasterKeys, sentAt: number, request: BridgeRequest): string => {
  const version = keys.currentVersion;
  const start = `${version}.${sentAt.toString(36)}.${randomBytes(RANDOM_BYTES).toString('base64url')}`;
  return `${start}.${computeCode(keys, version, start, request).toString('base64url')}`;
};

/** When a bridge sent exactly this request under this id; null if it did not. */
export const findRequestTime = (keys: MasterKeys, id: string, request: BridgeRequest): number | null => {
  const [start, version = '', sentAt = ''] = form.exec(id) ?? [];
  if (start === undefined || !keys.versions.includes(Number(version))) return null;
  const given = Buffer.from(id.slice(start.length + 1), 'base64url');
  const expected = computeCode(keys, Number(version), start, request);
  return given.length === expected.length && timingSafeEqual(given, expected) ? Number.parseInt(sentAt, 36) : null;
};
