import type { Assembly } from './assembly.ts';

/** What of the keypads and doors outlives a restart: their lockouts, and which door is meant to stand open. */
export class RememberedMarks {
  readonly #assembly: Pick<Assembly, 'stations' | 'state' | 'board' | 'clock'>;
  #lockouts: readonly unknown[] = [];
  #modes = '';

  constructor(assembly: Pick<Assembly, 'stations' | 'state' | 'board' | 'clock'>) {
    this.#assembly = assembly;
  }

  /** As they are now they have come from the disk. */
  begin(): void {
    const { stations, board } = this.#assembly;
    this.#lockouts = stations.map(({ lockout }) => lockout);
    this.#modes = JSON.stringify(board.modes());
  }

  save(): void {
    const { stations, state, board, clock } = this.#assembly;
    if (stations.some(({ lockout }, index) => lockout !== this.#lockouts[index])) {
      this.#lockouts = stations.map(({ lockout }) => lockout);
      const now = clock.now();
      state.write('lockouts', Object.fromEntries(stations.map(station => [station.id, station.savedLockout(now)])));
    }
    const modes = JSON.stringify(board.modes());
    if (modes === this.#modes) return;
    this.#modes = modes;
    state.write('door_modes', board.modes());
  }
}
