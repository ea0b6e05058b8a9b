import type { DoorHand } from '@lintel/wire-protocol/simulator/requests';

/** How long somebody takes to reach for the handle, and to be through. */
const REACH_MS = 350;
const PASSAGE_MS = 1800;

export interface LeafParts {
  readonly changed: (isOpen: boolean, isHeld: boolean) => void;
  /** Moves the contact. */
  readonly contact: (isOpen: boolean) => void;
}

/** The leaf of a door with the people in front of it: who is let in goes through and closes behind. */
export class DoorLeaf {
  readonly #parts: LeafParts;
  #isOpen = false;
  #isHeld = false;
  #isUnlocked = false;
  #walking: NodeJS.Timeout | undefined;

  constructor(parts: LeafParts) {
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** The strike has let go, or holds again. */
  strike(isUnlocked: boolean): void {
    this.#isUnlocked = isUnlocked;
    if (isUnlocked && !this.#isOpen) this.#later(REACH_MS, () => this.#isUnlocked && this.#goThrough());
  }

  #later(ms: number, act: () => void): void {
    clearTimeout(this.#walking);
    this.#walking = setTimeout(act, ms);
    this.#walking.unref();
  }

  #goThrough(): void {
    this.#move(true);
    if (!this.#isHeld) this.#later(PASSAGE_MS, () => !this.#isHeld && this.#move(false));
  }

  #move(isOpen: boolean): void {
    if (this.#isOpen === isOpen) return;
    this.#isOpen = isOpen;
    this.#parts.contact(isOpen);
    this.#parts.changed(this.#isOpen, this.#isHeld);
  }

  #hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (isHeld && this.#isUnlocked) this.#move(true);
    this.#parts.changed(this.#isOpen, this.#isHeld);
  }

  /** Null when it is done, otherwise why it cannot be. */
  hand(does: Exclude<DoorHand['does'], 'exit'>): string | null {
    switch (does) {
      case 'push':
        if (!this.#isUnlocked && !this.#isOpen) return 'the door is locked';
        this.#goThrough();
        return null;
      case 'force':
        clearTimeout(this.#walking);
        this.#move(true);
        return null;
      case 'hold':
        clearTimeout(this.#walking);
        this.#hold(true);
        return null;
      case 'close':
        clearTimeout(this.#walking);
        this.#hold(false);
        this.#move(false);
        return null;
    }
  }

  stop(): void {
    clearTimeout(this.#walking);
  }
}
