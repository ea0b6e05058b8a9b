import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { HardwareId } from '@lintel/access-core/ids';
import { issueClaimTicket } from '@lintel/cloud-bridge/resources/claim-tickets';
import { encodeBrokerLogin } from '@lintel/wire-protocol/claiming/broker-login';
import type { Redeemed, Redemption } from '@lintel/wire-protocol/claiming/redemption';
import { credentialDigestInput } from '@lintel/wire-protocol/mqtt/credential-digest';
import type { ClaimTicketCreate } from '@lintel/wire-protocol/admin/claim-ticket';
import type { Answer, Body, BridgeWorld, OrganizationClient } from '../bridge/bridge-world.ts';
import { certificateRequest } from './certificate-request.ts';
import { administer } from '../bridge/place.ts';

type Place = Pick<ClaimTicketCreate, 'site_id'> & { readonly device_id?: string };

/** A ticket and its code, as a technician's phone fetches them. */
export const aTicket = async (world: BridgeWorld, client: OrganizationClient, place: Place) => {
  const wanted = { expires_in: 3600, ...place } as ClaimTicketCreate;
  const { ticket, code, row } = await administer(world, client, context =>
    issueClaimTicket(context, wanted, world.bridge.services),
  );
  return { ticket, code, id: row.id };
};

/** What a controller makes at its first start, before anybody has claimed it. */
export class ControllerIdentity {
  key: KeyObject = generateKeyPairSync('ed25519').privateKey;
  readonly hardwareId: HardwareId;
  digestKey = { id: 'k1', key: randomBytes(32).toString('base64url') };

  constructor(world: BridgeWorld) {
    this.hardwareId = world.bridge.services.newId('hardware');
  }

  sign(bytes: Uint8Array): Uint8Array {
    return sign(null, bytes, this.key);
  }

  redemption(given: Partial<Redemption>): Redemption {
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

  /** The answer, whatever it is. */
  async tryRedeem(world: BridgeWorld, given: Partial<Redemption>): Promise<Answer> {
    const answer = await world.bridge.app.inject({
      method: 'POST',
      url: '/claim/v1/redeem',
      payload: this.redemption(given),
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json<Body>() };
  }

  async redeem(world: BridgeWorld, given: Partial<Redemption>): Promise<Redeemed> {
    const { status, body } = await this.tryRedeem(world, given);
    if (status !== 200) throw new Error(`redeem: ${status} ${JSON.stringify(body)}`);
    return body as unknown as Redeemed;
  }

  /** The password of the plain listener. */
  password({ device_id, serial }: Pick<Redeemed, 'device_id' | 'serial'>, at: number): string {
    return encodeBrokerLogin({ v: 1, device_id, serial, at: at as never }, bytes => this.sign(bytes));
  }

  digest(kind: 'pin' | 'card', value: string): string {
    const key = Buffer.from(this.digestKey.key, 'base64url');
    return createHmac('sha256', key).update(credentialDigestInput(kind, value)).digest('hex');
  }
}
