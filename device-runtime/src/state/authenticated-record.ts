import type { DataAuthenticator } from './data-authenticator.ts';
import type { ControllerStateKey, ControllerStateStore } from './controller-state-keys.ts';

interface Copy {
  readonly sequence: number;
  readonly value: unknown;
}

export type AuthenticatedReadResult =
  /** Never written, or all copies are lost. */
  | { readonly kind: 'missing' }
  /** No copy is intact, or can be read now. */
  | { readonly kind: 'damaged' }
  /** `lostCopy`: another copy is damaged or missing. */
  | { readonly kind: 'intact'; readonly value: unknown; readonly lostCopy: boolean };

/** A value with a MAC, in one or more copies. The newest intact copy counts. */
export class AuthenticatedRecord {
  readonly #state: ControllerStateStore;
  readonly #authenticator: DataAuthenticator;
  readonly #keys: readonly ControllerStateKey[];
  #sequence = 0;

  constructor(state: ControllerStateStore, authenticator: DataAuthenticator, keys: readonly ControllerStateKey[]) {
    this.#state = state;
    this.#authenticator = authenticator;
    this.#keys = keys;
  }

  read(): AuthenticatedReadResult {
    const stored = this.#keys.map(key => this.#state.read(key));
    const intact = stored.flatMap(one => this.#verify(one) ?? []);
    const [newest] = intact.toSorted((a, b) => b.sequence - a.sequence);
    const isMissing = (): boolean =>
      stored.every(one => one === undefined) && !this.#keys.some(key => this.#state.isUnreadable?.(key) === true);
    if (newest === undefined) return { kind: isMissing() ? 'missing' : 'damaged' };
    this.#sequence = newest.sequence;
    return { kind: 'intact', value: newest.value, lostCopy: intact.length < this.#keys.length };
  }

  #verify(stored: unknown): Copy | null {
    const { sequence, value, seal } = (stored ?? {}) as Partial<Copy> & { readonly seal?: unknown };
    if (
      !Number.isSafeInteger(sequence) ||
      !this.#authenticator.isValid(this.#purpose, this.#text(sequence!, value), seal)
    )
      return null;
    return { sequence: sequence!, value };
  }

  get #purpose(): string {
    return this.#keys[0]!;
  }

  #text(sequence: number, value: unknown): string {
    return JSON.stringify([sequence, value]);
  }

  write(value: unknown): void {
    this.#save(value, (key, stored) => this.#state.write(key, stored));
  }

  /** Of a value that does not depend on the earlier one. */
  replace(value: unknown): void {
    this.#save(value, (key, stored) =>
      this.#state.replace === undefined ? this.#state.write(key, stored) : this.#state.replace(key, stored),
    );
  }

  #save(value: unknown, save: (key: ControllerStateKey, stored: object) => void): void {
    this.#sequence += 1;
    const sequence = this.#sequence;
    const seal = this.#authenticator.create(this.#purpose, this.#text(sequence, value));
    for (const key of this.#keys) save(key, { sequence, value, seal });
  }
}
