import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { HardwareId } from '@lintel/access-core/ids';
import { signBrokerLoginProof } from '@lintel/wire-protocol/claiming/broker-login';
import type {
  RedeemClaimResponse,
  RedeemClaimRequest,
} from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import {
  type DigestedCredentialKind,
  encodeCredentialDigestInput,
} from '@lintel/wire-protocol/mqtt/credential-digest-input';
import type { CreateClaimTicketRequest } from '@lintel/wire-protocol/admin/claim-ticket';
import type { ApiResponse, ApiBody, TestBridge, TestOrganizationClient } from '../bridge/test-bridge.ts';
import { certificateRequest } from './certificate-request.ts';
import { callAsOwner } from '../bridge/admin-client.ts';

type Place = Pick<CreateClaimTicketRequest, 'site_id'> & { readonly device_id?: string };

/** Issues a claim ticket and its code. */
export const issueTicket = async (bridge: TestBridge, client: TestOrganizationClient, place: Place) => {
  const created = await callAsOwner(bridge, client, 'POST', '/claim_tickets', { expires_in: 3600, ...place });
  return { ticket: String(created['ticket']), code: String(created['code']), id: created.id };
};

/** Keys and ids of an unclaimed controller. */
export class ControllerIdentity {
  key: KeyObject = generateKeyPairSync('ed25519').privateKey;
  readonly hardwareId: HardwareId;
  digestKey = { id: 'k1', key: randomBytes(32).toString('base64url') };

  constructor(bridge: TestBridge) {
    this.hardwareId = bridge.services.newId('hardware');
  }

  sign(bytes: Uint8Array): Uint8Array {
    return sign(null, bytes, this.key);
  }

  redemption(given: Partial<RedeemClaimRequest>): RedeemClaimRequest {
    return {
      v: 1,
      csr: certificateRequest(this.key),
      digest_key: this.digestKey,
      hardware_id: this.hardwareId,
      product_id: 'virtual',
      revision_id: '1',
      ...given,
    };
  }

  async tryRedeem(bridge: TestBridge, given: Partial<RedeemClaimRequest>): Promise<ApiResponse> {
    const answer = await bridge.app.inject({
      method: 'POST',
      url: '/claim/v1/redeem',
      payload: this.redemption(given),
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json<ApiBody>() };
  }

  async redeem(bridge: TestBridge, given: Partial<RedeemClaimRequest>): Promise<RedeemClaimResponse> {
    const { status, body } = await this.tryRedeem(bridge, given);
    if (status !== 200) throw new Error(`redeem: ${status} ${JSON.stringify(body)}`);
    return body as unknown as RedeemClaimResponse;
  }

  /** The password for the listener without TLS. */
  password({ device_id, serial }: Pick<RedeemClaimResponse, 'device_id' | 'serial'>, at: number): string {
    return signBrokerLoginProof({ v: 1, device_id, serial, at: at as never }, bytes => this.sign(bytes));
  }

  digest(kind: DigestedCredentialKind, value: string): string {
    const key = Buffer.from(this.digestKey.key, 'base64url');
    return createHmac('sha256', key).update(encodeCredentialDigestInput(kind, value)).digest('hex');
  }
}
