import type { ControllerFault } from './controller-fault-registry.ts';

type StartupFault = Pick<ControllerFault, 'code' | 'message'>;

/** Faults that are found while the controller is created. */
export class StartupFaults {
  readonly #found: StartupFault[] = [];
  #report: (code: string, message: string) => void = (code, message) => void this.#found.push({ code, message });

  add(code: string, message: string): void {
    this.#report(code, message);
  }

  /** Reports the faults found so far, and later ones at once. */
  reportTo(report: (code: string, message: string) => void): void {
    this.#report = report;
    for (const { code, message } of this.#found.splice(0)) report(code, message);
  }
}
