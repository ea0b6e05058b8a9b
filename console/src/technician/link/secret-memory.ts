/** What opened the controller, for as long as the session that it opened could still be alive. */
export type Secret = { readonly code: string } | { readonly pass: string };

/**
 * Kept in the memory of the page only. A controller that restarts forgets its sessions: the page comes in again by itself.
 * A session that ended because nobody used it is another matter; then somebody has to show up.
 */
export class SecretMemory {
  #kept: { readonly secret: Secret; readonly idle_ms: number } | null = null;
  #usedAt = 0;

  keep(secret: Secret, idle_ms: number, now: number): void {
    this.#kept = { secret, idle_ms };
    this.#usedAt = now;
  }

  /** The session was good for a request. */
  used(now: number): void {
    this.#usedAt = now;
  }

  /** Null when there is none, or when it is no use. */
  recall(ways: readonly ('code' | 'pass')[], now: number): Secret | null {
    if (this.#kept === null) return null;
    const { secret, idle_ms } = this.#kept;
    if (now - this.#usedAt >= idle_ms) this.forget();
    return ways.includes('code' in secret ? 'code' : 'pass') ? (this.#kept?.secret ?? null) : null;
  }

  forget(): void {
    this.#kept = null;
  }
}
