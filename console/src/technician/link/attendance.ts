const AWAY_MS = 3 * 60_000;

/**
 * Whether somebody works with the page. One that is only open asks for nothing, so that the controller's session ends by
 * itself, as it should when a phone is left behind.
 */
export class Attendance {
  #seenAt = performance.now();

  constructor() {
    for (const sign of ['pointerdown', 'keydown', 'scroll', 'focus']) {
      addEventListener(sign, () => this.#see(), { passive: true, capture: true });
    }
  }

  #see(): void {
    this.#seenAt = performance.now();
  }

  get isAttended(): boolean {
    return document.visibilityState === 'visible' && performance.now() - this.#seenAt < AWAY_MS;
  }
}
