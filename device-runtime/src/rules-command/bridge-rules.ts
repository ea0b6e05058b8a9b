import { inputRulesAnswer, type InputRulesAnswer } from '@lintel/wire-protocol/admin/device';
import { administeredOrganizationAnswer } from '@lintel/wire-protocol/admin/organization';
import { errorAnswer } from '@lintel/wire-protocol/rest/error';
import { pageOf } from '@lintel/wire-protocol/rest/list-page';
import { BridgeHttpClient } from '@lintel/device-link/bridge-http/bridge-http-client';
import { ClaimError } from '@lintel/device-link/bridge-http/claim-error';
import type { RulesFile } from './rules-file.ts';

/** A device behind a bridge, and the token that reaches it. */
export interface BridgedDevice {
  readonly bridge: string;
  readonly deviceId: string;
  readonly token: string;
}

/** What the bridge said no with, or why it could not be asked. */
export class BridgeRulesError extends Error {}

const TRUST = { fingerprint: null, authority: null, bySystem: true };
const LARGEST_RESPONSE = 4 * 1024 * 1024;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const ask = async ({ bridge, token }: BridgedDevice, path: string, put?: RulesFile): Promise<unknown> => {
  const client = new BridgeHttpClient(bridge, { trust: TRUST, now: Date.now() });
  const request =
    put === undefined ? ({ method: 'GET', token } as const) : ({ method: 'PUT', token, body: put } as const);
  const { status, text } = await client.send(`admin/v1${path}`, request, LARGEST_RESPONSE).catch((error: unknown) => {
    if (error instanceof ClaimError) throw new BridgeRulesError(error.message);
    const { message, code } = error as NodeJS.ErrnoException;
    throw new BridgeRulesError(`${bridge} does not answer: ${message || code}`);
  });
  const body = parsed(text);
  if (status >= 200 && status < 300) return body;
  const refusal = errorAnswer.safeParse(body);
  throw new BridgeRulesError(refusal.success ? refusal.data.message : `${bridge} answers ${status}`);
};

/** A token is bound to one organization, which the addresses name. */
const addressOf = async (device: BridgedDevice): Promise<string> => {
  const [organization] = pageOf(administeredOrganizationAnswer).parse(await ask(device, '/organizations')).data;
  if (organization === undefined) throw new BridgeRulesError('The token is of an organization that is not there');
  return `/organizations/${organization.id}/devices/${encodeURIComponent(device.deviceId)}/input_rules`;
};

export const getBridgedRules = async (device: BridgedDevice): Promise<InputRulesAnswer> =>
  inputRulesAnswer.parse(await ask(device, await addressOf(device)));

export const setBridgedRules = async (device: BridgedDevice, rules: RulesFile): Promise<InputRulesAnswer> =>
  inputRulesAnswer.parse(await ask(device, await addressOf(device), rules));
