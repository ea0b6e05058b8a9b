import type { SimulatorOperateDoorByHandRequest } from '@lintel/wire-protocol/simulator/simulator-api-requests';

/** Time until a person opens an unlocked door, and time to walk through. */
const REACH_MS = 350;
const PASSAGE_MS = 1800;

export interface DoorLeafCallbacks {
  readonly onChange: (isOpen: boolean, isHeld: boolean) => void;
  /** The door contact changes. */
  readonly onContact: (isOpen: boolean) => void;
}

/** The leaf of a simulated door. After a grant, a person walks through and closes the door. */
export class DoorLeaf {
  readonly #callbacks: DoorLeafCallbacks;
  #isOpen = false;
  #isHeld = false;
  #isUnlocked = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(callbacks: DoorLeafCallbacks) {
    this.#callbacks = callbacks;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** The strike output has changed. */
  setUnlocked(isUnlocked: boolean): void {
    this.#isUnlocked = isUnlocked;
    if (isUnlocked && !this.#isOpen) this.#schedule(REACH_MS, () => this.#isUnlocked && this.#walkThrough());
  }

  #schedule(ms: number, action: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(action, ms);
    this.#timer.unref();
  }

  #walkThrough(): void {
    this.#setOpen(true);
    if (!this.#isHeld) this.#schedule(PASSAGE_MS, () => !this.#isHeld && this.#setOpen(false));
  }

  #setOpen(isOpen: boolean): void {
    if (this.#isOpen === isOpen) return;
    this.#isOpen = isOpen;
    this.#callbacks.onContact(isOpen);
    this.#callbacks.onChange(this.#isOpen, this.#isHeld);
  }

  #setHeld(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (isHeld && this.#isUnlocked) this.#setOpen(true);
    this.#callbacks.onChange(this.#isOpen, this.#isHeld);
  }

  /** Returns null on success, otherwise the reason for the failure. */
  move(does: Exclude<SimulatorOperateDoorByHandRequest['does'], 'exit'>): string | null {
    switch (does) {
      case 'push':
        if (!this.#isUnlocked && !this.#isOpen) return 'The door is locked';
        this.#walkThrough();
        return null;
      case 'force':
        clearTimeout(this.#timer);
        this.#setOpen(true);
        return null;
      case 'hold':
        clearTimeout(this.#timer);
        this.#setHeld(true);
        return null;
      case 'close':
        clearTimeout(this.#timer);
        this.#setHeld(false);
        this.#setOpen(false);
        return null;
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
