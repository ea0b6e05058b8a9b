import type { ControllerAssembly } from './controller-assembly.ts';

/** Lockouts of keypads and modes of doors, which survive a restart. */
export class PersistedDoorState {
  readonly #assembly: Pick<ControllerAssembly, 'readerUnits' | 'state' | 'board' | 'clock'>;
  #lockouts: readonly unknown[] = [];
  #modes = '';

  constructor(assembly: Pick<ControllerAssembly, 'readerUnits' | 'state' | 'board' | 'clock'>) {
    this.#assembly = assembly;
  }

  /** Takes the restored values as saved. */
  begin(): void {
    const { readerUnits, board } = this.#assembly;
    this.#lockouts = readerUnits.map(({ lockout }) => lockout);
    this.#modes = JSON.stringify(board.modes());
  }

  save(): void {
    const { readerUnits, state, board, clock } = this.#assembly;
    if (readerUnits.some(({ lockout }, index) => lockout !== this.#lockouts[index])) {
      this.#lockouts = readerUnits.map(({ lockout }) => lockout);
      const now = clock.now();
      state.write('lockouts', Object.fromEntries(readerUnits.map(unit => [unit.id, unit.savedLockout(now)])));
    }
    const modes = JSON.stringify(board.modes());
    if (modes === this.#modes) return;
    this.#modes = modes;
    state.write('door_modes', board.modes());
  }
}
