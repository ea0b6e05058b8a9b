import { inputRulesResponseSchema, type InputRulesResponse } from '@lintel/wire-protocol/admin/device-input-rules';
import { administeredOrganizationResponseSchema } from '@lintel/wire-protocol/admin/organization';
import { parseJsonOrNull } from '@lintel/wire-protocol/encoding/json-text';
import { errorResponseSchema } from '@lintel/wire-protocol/rest/api-error-types';
import { listPageSchema } from '@lintel/wire-protocol/rest/list-page';
import { BridgeHttpClient } from '@lintel/device-link/bridge-http/bridge-http-client';
import { ClaimOrRenewalError } from '@lintel/device-link/bridge-http/claim-or-renewal-error';
import type { InputRulesFile } from './rules-file.ts';

/** A device, its bridge, and an access token. */
export interface BridgeInputRulesTarget {
  readonly bridge: string;
  readonly deviceId: string;
  readonly token: string;
}

/** An error of the bridge, or why it could not be reached. */
export class BridgeInputRulesError extends Error {}

const TRUST = { fingerprint: null, authority: null, bySystem: true };
const LARGEST_RESPONSE = 4 * 1024 * 1024;

const request = async (
  { bridge, token }: BridgeInputRulesTarget,
  path: string,
  put?: InputRulesFile,
): Promise<unknown> => {
  const client = new BridgeHttpClient(bridge, { trust: TRUST, now: Date.now() });
  const request =
    put === undefined ? ({ method: 'GET', token } as const) : ({ method: 'PUT', token, body: put } as const);
  const { status, text } = await client.send(`admin/v1${path}`, request, LARGEST_RESPONSE).catch((error: unknown) => {
    if (error instanceof ClaimOrRenewalError) throw new BridgeInputRulesError(error.message);
    const { message, code } = error as NodeJS.ErrnoException;
    throw new BridgeInputRulesError(`${bridge} does not respond: ${message || code}`);
  });
  const body = parseJsonOrNull(text);
  if (status >= 200 && status < 300) return body;
  const refusal = errorResponseSchema.safeParse(body);
  throw new BridgeInputRulesError(refusal.success ? refusal.data.message : `${bridge} responds with status ${status}`);
};

/** A token belongs to one organization, which is part of the path. */
const rulesPathOf = async (device: BridgeInputRulesTarget): Promise<string> => {
  const [organization] = listPageSchema(administeredOrganizationResponseSchema).parse(
    await request(device, '/organizations'),
  ).data;
  if (organization === undefined) throw new BridgeInputRulesError('Unknown organization');
  return `/organizations/${organization.id}/devices/${encodeURIComponent(device.deviceId)}/input_rules`;
};

export const fetchInputRulesViaBridge = async (device: BridgeInputRulesTarget): Promise<InputRulesResponse> =>
  inputRulesResponseSchema.parse(await request(device, await rulesPathOf(device)));

export const replaceInputRulesViaBridge = async (
  device: BridgeInputRulesTarget,
  rules: InputRulesFile,
): Promise<InputRulesResponse> =>
  inputRulesResponseSchema.parse(await request(device, await rulesPathOf(device), rules));
