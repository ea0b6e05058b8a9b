import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { sealSecret, unsealSecret } from '../secrets/sealing.ts';
import type { OrganizationKeyRow } from '../storage/organization-key-and-claim-ticket-schema.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

export interface OrganizationSigningKey {
  /** 32 bytes in base64url. */
  readonly publicKey: string;
  readonly sign: (bytes: Uint8Array) => Uint8Array;
}

export const buildOrganizationSigningKeySealContext = (organizationId: string): string =>
  `organization key ${organizationId}`;

const privateKeyOf = ({ organization_id, public_key }: OrganizationKeyRow, seed: string): KeyObject => {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: public_key, d: seed };
  try {
    return createPrivateKey({ key: jwk, format: 'jwk' });
  } catch {
    // The original error may contain the private key.
    throw new Error(`Cannot read the key of organization ${organization_id}`);
  }
};

const findKey = ({ db, organizationId }: WriteContext): Promise<OrganizationKeyRow | undefined> =>
  db.selectFrom('organization_keys').selectAll().where('organization_id', '=', organizationId).executeTakeFirst();

const createKey = async ({ db, organizationId, keys, now }: WriteContext): Promise<OrganizationKeyRow> => {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const row: OrganizationKeyRow = {
    organization_id: organizationId,
    public_key: x,
    sealed_private_key: sealSecret(keys, d, buildOrganizationSigningKeySealContext(organizationId)),
    created_at: now,
    revoke_counter: 0,
  };
  await db.insertInto('organization_keys').values(row).execute();
  return row;
};

/** Creates the key on first use. The organization's lock prevents a second one. */
export const getOrCreateOrganizationSigningKey = async (context: WriteContext): Promise<OrganizationSigningKey> => {
  const row = (await findKey(context)) ?? (await createKey(context));
  const seed = unsealSecret(
    context.masterKeys,
    row.sealed_private_key,
    buildOrganizationSigningKeySealContext(context.organizationId),
  );
  const key = privateKeyOf(row, seed);
  return { publicKey: row.public_key, sign: bytes => sign(null, bytes, key) };
};
