import type { Log } from '@lintel/service/log';
import type { HealthNow } from './health.ts';
import { machineArch } from './machine-arch.ts';
import { programIn, SlotFiles } from './slot-files.ts';
import { Trial } from './trial.ts';
import type { UpdatedProgram } from './updated-program.ts';
import { productPlaces, type UpdatedProduct } from './updated-products.ts';
import { Updater } from './updater.ts';

/** What the launcher has told this process; absent where it was started by hand. */
type LaunchEnvironment = Readonly<Record<string, string | undefined>>;

export interface UpdatesParts {
  readonly product: UpdatedProduct;
  readonly env: LaunchEnvironment;
  readonly log: Log;
  readonly restart: () => void;
}

const LOOK_MS = 1000;
/** A trial ends itself a little before its guard does. */
const AHEAD_OF_GUARD_MS = 10_000;

/** In milliseconds. */
const secondsIn = (text: string | undefined, fallback: number): number => {
  const seconds = Number(text);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : fallback;
};

/** Updates of this program: orders, the moment for the switch, and the trial of a new version. */
export class Updates {
  readonly desk: Updater;
  readonly version: string;
  readonly #parts: UpdatesParts;
  readonly #files: SlotFiles;
  readonly #release: string;
  #program: UpdatedProgram | null = null;
  #isReady = false;
  #trial: Trial | null = null;
  #cancel: () => void = () => undefined;

  constructor(parts: UpdatesParts) {
    const { env, log, restart, product } = parts;
    this.#parts = parts;
    this.#files = new SlotFiles(env['LINTEL_RELEASES'] ?? '');
    this.#release = env['LINTEL_RELEASE'] ?? '';
    this.version = env['LINTEL_RELEASE_VERSION'] ?? '0.0.0';
    const own = programIn(env['LINTEL_PACKAGE'] ?? '');
    this.desk = new Updater({
      files: this.#files,
      keysFolder: env['LINTEL_RELEASE_KEYS'] ?? productPlaces[product].keys,
      program: product,
      arch: machineArch(),
      version: this.version,
      packageVersion: own?.version ?? this.version,
      release: this.#release,
      log,
      way: () => this.#program?.way() ?? null,
      quiet: (withinMs, signal) => {
        const program = this.#program!;
        return program.quiet({ quietMs: secondsIn(env['LINTEL_QUIET_SECONDS'], program.quietMs), withinMs, signal });
      },
      health: () => this.#health(),
      restart,
    });
  }

  #health(): HealthNow {
    const { isServing, ...health } = this.#program!.health();
    return { ...health, isReady: this.#isReady && isServing };
  }

  /** It serves. */
  start(program: UpdatedProgram): void {
    this.#program = program;
    const { env, log, restart } = this.#parts;
    const guardMs = secondsIn(env['LINTEL_TRIAL_SECONDS'], 300_000);
    this.#trial = new Trial({
      files: this.#files,
      release: this.#release,
      clock: program.clock,
      health: () => this.#health(),
      settleMs: secondsIn(env['LINTEL_SETTLE_SECONDS'], 10_000),
      deadlineMs: secondsIn(env['LINTEL_TRIAL_DEADLINE_SECONDS'], Math.max(guardMs / 2, guardMs - AHEAD_OF_GUARD_MS)),
      log,
      onConfirmed: () => this.#tellOutcome(),
      onRolledBack: restart,
    });
    this.#trial.start();
    this.#tellOutcome();
    this.#look();
  }

  /** It has said so. */
  ready(): void {
    this.#isReady = true;
  }

  #look(): void {
    this.desk.lookForWish();
    this.#cancel = this.#program!.clock.after(LOOK_MS, () => this.#look());
  }

  /** Once among the events, and to the bridge as often as it has to be. */
  #tellOutcome(): void {
    const slots = this.#files.read();
    const { last } = slots;
    if (last === null) return;
    this.desk.ended(last);
    if (last.is_logged) return;
    const { version, result, reason } = last;
    if (result === 'confirmed') this.#program!.note('updated', version);
    else this.#program!.note('update_rolled_back', `${version}: ${reason ?? ''}`);
    try {
      this.#files.write({ ...slots, last: { ...last, is_logged: true } });
      this.#files.prune();
    } catch (error) {
      this.#parts.log('warn', 'the outcome of an update is told twice', { why: (error as Error).message });
    }
  }

  stop(): void {
    this.#cancel();
    this.#trial?.stop();
    this.desk.stop();
  }
}
