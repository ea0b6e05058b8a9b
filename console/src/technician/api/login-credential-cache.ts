export type LoginCredential = { readonly code: string } | { readonly pass: string };

/**
 * Keeps the credential of the last login in memory, so that the page logs in again after a restart of the controller.
 * Discards it when the session would have expired without use.
 */
export class LoginCredentialCache {
  #entry: { readonly credential: LoginCredential; readonly idle_ms: number } | null = null;
  #usedAt = 0;

  store(credential: LoginCredential, idle_ms: number, now: number): void {
    this.#entry = { credential, idle_ms };
    this.#usedAt = now;
  }

  /** Records a successful request of the session. */
  touch(now: number): void {
    this.#usedAt = now;
  }

  /** Returns null without a credential that the controller accepts now. */
  get(methods: readonly ('code' | 'pass')[], now: number): LoginCredential | null {
    if (this.#entry === null) return null;
    const { credential, idle_ms } = this.#entry;
    if (now - this.#usedAt >= idle_ms) this.clear();
    return methods.includes('code' in credential ? 'code' : 'pass') ? (this.#entry?.credential ?? null) : null;
  }

  clear(): void {
    this.#entry = null;
  }
}
