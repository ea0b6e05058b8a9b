import { after } from '@lintel/access-core/monotonic';
import type { RunningController } from '../main.ts';
import type { Log } from '../ports/log.ts';
import type { HealthNow } from './health.ts';
import { machineArch } from './machine-arch.ts';
import { quietMoment } from './quiet-moment.ts';
import { programIn, SlotFiles } from './slot-files.ts';
import { Trial } from './trial.ts';
import { Updater } from './updater.ts';

/** What the launcher has told this process; absent where it was started by hand. */
type LaunchEnvironment = Readonly<Record<string, string | undefined>>;

interface UpdatesParts {
  readonly env: LaunchEnvironment;
  readonly log: Log;
  /** Ways to the bridge where there is no direct one. */
  readonly proxies: (organizationId: string) => readonly string[];
  readonly restart: () => void;
}

const KEYS_FOLDER = '/etc/lintel/release-keys';
const LOOK_MS = 1000;
/** A trial ends itself a little before its guard does. */
const AHEAD_OF_GUARD_MS = 10_000;

const secondsIn = (text: string | undefined, fallback: number): number => {
  const seconds = Number(text);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : fallback;
};

/** Updates of this controller: orders, the moment for the switch, and the trial of a new version. */
export class Updates {
  readonly desk: Updater;
  readonly version: string;
  readonly #parts: UpdatesParts;
  readonly #files: SlotFiles;
  readonly #release: string;
  #device: RunningController | null = null;
  #isReady = false;
  #trial: Trial | null = null;
  #cancel: () => void = () => undefined;

  constructor(parts: UpdatesParts) {
    const { env, log, restart } = parts;
    this.#parts = parts;
    this.#files = new SlotFiles(env['LINTEL_RELEASES'] ?? '');
    this.#release = env['LINTEL_RELEASE'] ?? '';
    this.version = env['LINTEL_RELEASE_VERSION'] ?? '0.0.0';
    const own = programIn(env['LINTEL_PACKAGE'] ?? '');
    this.desk = new Updater({
      files: this.#files,
      keysFolder: env['LINTEL_RELEASE_KEYS'] ?? KEYS_FOLDER,
      program: own?.program ?? 'controller',
      arch: machineArch(),
      version: this.version,
      packageVersion: own?.version ?? this.version,
      release: this.#release,
      log,
      way: () => this.#way(),
      quiet: (withinMs, signal) => {
        const quietMs = secondsIn(env['LINTEL_QUIET_SECONDS'], 10) * 1000;
        return quietMoment({ controller: this.#device!.controller }, { quietMs, withinMs, signal });
      },
      health: () => this.#health(),
      restart,
    });
  }

  #way(): ReturnType<ConstructorParameters<typeof Updater>[0]['way']> {
    const membership = this.#device?.membership() ?? null;
    if (membership === null) return null;
    const { bridge_url, ca_fingerprint, ca_certificate, organization_id } = membership;
    const trust = { fingerprint: ca_fingerprint, authority: ca_certificate, bySystem: true };
    const now = this.#device!.time.signedNow();
    return { bridgeUrl: bridge_url, terms: { trust, now, proxies: this.#parts.proxies(organization_id) } };
  }

  #health(): HealthNow {
    const { controller, upstream } = this.#device!;
    const faults = controller.faults().map(({ code }) => code);
    return { isWell: controller.isWell(), isReady: this.#isReady, online: upstream()?.online ?? false, faults };
  }

  /** The door serves. */
  start(device: RunningController): void {
    this.#device = device;
    const { env, log, restart } = this.#parts;
    const { clock } = device.controller.technician;
    const guardMs = secondsIn(env['LINTEL_TRIAL_SECONDS'], 300) * 1000;
    this.#trial = new Trial({
      files: this.#files,
      release: this.#release,
      clock,
      health: () => this.#health(),
      settleMs: secondsIn(env['LINTEL_SETTLE_SECONDS'], 10) * 1000,
      deadlineMs: Math.max(guardMs / 2, guardMs - AHEAD_OF_GUARD_MS),
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
    const { clock } = this.#device!.controller.technician;
    this.desk.lookForWish();
    this.#cancel = clock.wake(after(clock.now(), LOOK_MS), () => this.#look());
  }

  /** Once among the events, and to the bridge as often as it has to be. */
  #tellOutcome(): void {
    const slots = this.#files.read();
    const { last } = slots;
    if (last === null) return;
    this.desk.ended(last);
    if (last.is_logged) return;
    const { version, result, reason } = last;
    if (result === 'confirmed') this.#device!.controller.noteUpdate('updated', version);
    else this.#device!.controller.noteUpdate('update_rolled_back', `${version}: ${reason ?? ''}`);
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
