import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { milliseconds, version } from '@lintel/wire-protocol/mqtt/message-fields';
import { redemption } from '@lintel/wire-protocol/claiming/redemption';
import { parseWith } from '@lintel/wire-protocol/schema-parts/parse-with';
import * as z from 'zod';
import type { ClaimedThing, ClaimProof } from './claim-client.ts';
import { removePrivately, writePrivately } from '@lintel/service/data-folder/private-file';

const { ticket, code, name, gadgets, product_id, revision_id, product } = redemption.shape;

const pendingClaim = z.strictObject({
  v: version,
  proof: z.union([
    z.strictObject({ ticket: ticket.unwrap() }),
    z.strictObject({ code: code.unwrap(), bridgeUrl: z.string(), caFingerprint: z.string().nullable() }),
  ]),
  name,
  gadgets,
  product_id,
  revision_id,
  product,
  requested_at: milliseconds,
  expires_at: milliseconds,
});
export type KeptClaim = z.infer<typeof pendingClaim>;

export const proofOf = ({ proof }: KeptClaim): ClaimProof => proof;

export const thingOf = ({ name, gadgets, product_id, revision_id, product }: KeptClaim): ClaimedThing => ({
  productId: product_id,
  revisionId: revision_id,
  ...(product === undefined ? {} : { product }),
  ...(name === undefined ? {} : { name }),
  ...(gadgets === undefined ? {} : { gadgets }),
});

/** `DIR/identity/pending-claim.json`: a ticket waits there until the device has a line. */
export class PendingClaimFile {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, 'identity', 'pending-claim.json');
  }

  /** Null when there is none; a damaged one is none, the technician still has the ticket. */
  read(): KeptClaim | null {
    try {
      const read = parseWith(pendingClaim, JSON.parse(readFileSync(this.#path, 'utf8')));
      return read.ok ? read.value : null;
    } catch {
      return null;
    }
  }

  write(claim: KeptClaim): void {
    writePrivately(this.#path, JSON.stringify(claim));
  }

  remove(): void {
    removePrivately(this.#path);
  }
}
