import { randomBytes } from 'node:crypto';
import type { Technician } from '../../events/technician-record.ts';

const TOKEN_BYTES = 32;

/** Requests that have come through the bridge, each with a token of its own for as long as it takes. */
export class RemoteTechnicianSessions {
  readonly #technicians = new Map<string, Technician>();

  open(technician: Technician): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    this.#technicians.set(token, technician);
    return token;
  }

  find(token: string): Technician | null {
    return this.#technicians.get(token) ?? null;
  }

  close(token: string): void {
    this.#technicians.delete(token);
  }
}
