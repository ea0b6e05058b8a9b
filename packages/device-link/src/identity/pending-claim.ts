import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { epochMillisecondsSchema, wireProtocolVersionSchema } from '@lintel/wire-protocol/mqtt/message-fields';
import { redeemClaimRequestSchema } from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import { parseWithSchema } from '@lintel/wire-protocol/schema-parts/parse-with-schema';
import * as z from 'zod';
import type { DeviceDescription, ClaimProof } from './claim-client.ts';
import { removePrivateFile, writePrivateFile } from '@lintel/service/data-folder/private-file';

const { ticket, code, name, gadgets, product_id, revision_id, product } = redeemClaimRequestSchema.shape;

const pendingClaim = z.strictObject({
  v: wireProtocolVersionSchema,
  proof: z.union([
    z.strictObject({ ticket: ticket.unwrap() }),
    z.strictObject({ code: code.unwrap(), bridgeUrl: z.string(), caFingerprint: z.string().nullable() }),
  ]),
  name,
  gadgets,
  product_id,
  revision_id,
  product,
  requested_at: epochMillisecondsSchema,
  expires_at: epochMillisecondsSchema,
});
export type StoredPendingClaim = z.infer<typeof pendingClaim>;

export const toClaimProof = ({ proof }: StoredPendingClaim): ClaimProof => proof;

export const toDeviceDescription = ({
  name,
  gadgets,
  product_id,
  revision_id,
  product,
}: StoredPendingClaim): DeviceDescription => ({
  productId: product_id,
  revisionId: revision_id,
  ...(product === undefined ? {} : { product }),
  ...(name === undefined ? {} : { name }),
  ...(gadgets === undefined ? {} : { gadgets }),
});

/** `DIR/identity/pending-claim.json`: a claim that waits until the device is online. */
export class PendingClaimFile {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, 'identity', 'pending-claim.json');
  }

  /** Null when absent or damaged; the technician still has the ticket. */
  read(): StoredPendingClaim | null {
    try {
      const read = parseWithSchema(pendingClaim, JSON.parse(readFileSync(this.#path, 'utf8')));
      return read.ok ? read.value : null;
    } catch {
      return null;
    }
  }

  write(claim: StoredPendingClaim): void {
    writePrivateFile(this.#path, JSON.stringify(claim));
  }

  remove(): void {
    removePrivateFile(this.#path);
  }
}
