import { randomBytes } from 'node:crypto';
import type { RemoteTechnicianOperation } from '@lintel/wire-protocol/mqtt/remote-technician-operations';
import type { ActingTechnician } from '../../events/acting-technician.ts';

const TOKEN_BYTES = 32;

/** For one operation that a technician has requested through the bridge. */
export interface RemoteTechnicianAuthorization {
  readonly by: 'remote';
  readonly technician: ActingTechnician;
  readonly operation: RemoteTechnicianOperation;
}

/** The sessions of remote requests. Each has a token of its own until its response. */
export class RemoteTechnicianRequestTokens {
  readonly #sessions = new Map<string, RemoteTechnicianAuthorization>();

  open(technician: ActingTechnician, operation: RemoteTechnicianOperation): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    this.#sessions.set(token, { by: 'remote', technician, operation });
    return token;
  }

  find(token: string): RemoteTechnicianAuthorization | null {
    return this.#sessions.get(token) ?? null;
  }

  close(token: string): void {
    this.#sessions.delete(token);
  }
}
