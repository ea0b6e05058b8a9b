const IDLE_MS = 3 * 60_000;

/** Detects whether the page is in use. An unattended page sends no requests, so that its session expires. */
export class UserActivityMonitor {
  #lastInputAt = performance.now();

  constructor() {
    for (const type of ['pointerdown', 'keydown', 'scroll', 'focus']) {
      addEventListener(type, () => this.#recordInput(), { passive: true, capture: true });
    }
  }

  #recordInput(): void {
    this.#lastInputAt = performance.now();
  }

  get isActive(): boolean {
    return document.visibilityState === 'visible' && performance.now() - this.#lastInputAt < IDLE_MS;
  }
}
