import { inputRulesAnswer, type InputRulesAnswer } from '@lintel/wire-protocol/admin/device';
import { administeredOrganizationAnswer } from '@lintel/wire-protocol/admin/organization';
import { errorAnswer } from '@lintel/wire-protocol/rest/error';
import { pageOf } from '@lintel/wire-protocol/rest/list-page';
import type { RulesFile } from './rules-file.ts';

/** A device behind a bridge, and the token that reaches it. */
export interface BridgedDevice {
  readonly bridge: string;
  readonly deviceId: string;
  readonly token: string;
}

/** What the bridge said no with, or why it could not be asked. */
export class BridgeRefusal extends Error {}

const ask = async ({ bridge, token }: BridgedDevice, path: string, put?: RulesFile): Promise<unknown> => {
  const address = `${bridge.replace(/\/+$/, '')}/admin/v1${path}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = put === undefined ? { headers } : { headers, method: 'PUT', body: JSON.stringify(put) };
  let answer: Response;
  try {
    answer = await fetch(address, sent);
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    throw new BridgeRefusal(`${bridge} does not answer: ${cause?.message ?? message}`);
  }
  const body: unknown = await answer.json().catch(() => null);
  if (answer.ok) return body;
  const refusal = errorAnswer.safeParse(body);
  throw new BridgeRefusal(refusal.success ? refusal.data.message : `${address} answers ${answer.status}`);
};

/** A token is bound to one organization, which the addresses name. */
const addressOf = async (device: BridgedDevice): Promise<string> => {
  const [organization] = pageOf(administeredOrganizationAnswer).parse(await ask(device, '/organizations')).data;
  if (organization === undefined) throw new BridgeRefusal('The token is of an organization that is not there');
  return `/organizations/${organization.id}/devices/${encodeURIComponent(device.deviceId)}/input_rules`;
};

export const getBridgedRules = async (device: BridgedDevice): Promise<InputRulesAnswer> =>
  inputRulesAnswer.parse(await ask(device, await addressOf(device)));

export const setBridgedRules = async (device: BridgedDevice, rules: RulesFile): Promise<InputRulesAnswer> =>
  inputRulesAnswer.parse(await ask(device, await addressOf(device), rules));
