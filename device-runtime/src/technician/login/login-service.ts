import { signatureVerifier } from '@lintel/crypto/ed25519';
import type { OrganizationId, SiteId } from '@lintel/access-core/ids';
import { readTechnicianPass } from '@lintel/wire-protocol/claiming/technician-pass';
import type { TechnicianLogin } from '@lintel/wire-protocol/technician/login';
import { after, type Monotonic } from '@lintel/access-core/monotonic';
import type { Log } from '@lintel/service/log';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { WallClock } from '../../clock/wall-clock.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { Session, Sessions } from './sessions.ts';
import type { SetupCode } from './setup-code.ts';
import { TechnicianError } from '../errors/technician-error.ts';

/** Whose device the controller is, as far as a pass has to fit it. */
export interface Owner {
  readonly organization_id: OrganizationId;
  readonly site_id: SiteId;
  /** Ed25519, 32 bytes in base64url. */
  readonly organization_key: string;
}

interface LoginServiceParts {
  readonly code: SetupCode;
  readonly throttle: LoginThrottle;
  readonly sessions: Sessions;
  readonly owner: () => Owner | null;
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly wall: Pick<WallClock, 'now' | 'trusted'>;
  readonly log: Log;
}

/** How long the button brings the code back. */
const BUTTON_MS = 15 * 60_000;

const passProblems: Readonly<Record<string, string>> = {
  wrong_site: 'The pass is for another site',
  expired: 'The pass is too old: fetch a new one',
  not_yet: 'The pass is from the future: the clock of the controller is behind',
};

/** Who may come in: with the setup code until the controller is claimed, with a pass of its site from then on. */
export class LoginService {
  readonly #parts: LoginServiceParts;
  #buttonUntil: Monotonic | null = null;

  constructor(parts: LoginServiceParts) {
    this.#parts = parts;
  }

  /** Somebody is at the board itself. */
  buttonPressed(): void {
    this.#buttonUntil = after(this.#parts.clock.now(), BUTTON_MS);
    this.#parts.throttle.clear();
  }

  get takesCode(): boolean {
    const { owner, clock } = this.#parts;
    return owner() === null || (this.#buttonUntil !== null && clock.now() < this.#buttonUntil);
  }

  get ways(): ('code' | 'pass')[] {
    return [
      ...(this.takesCode ? (['code'] as const) : []),
      ...(this.#parts.owner() === null ? [] : (['pass'] as const)),
    ];
  }

  enter({ code, pass }: TechnicianLogin): { readonly token: string; readonly session: Session } {
    return pass === undefined ? this.#byCode(code ?? '') : this.#byPass(pass);
  }

  #byCode(typed: string): ReturnType<Sessions['open']> {
    const { code, throttle, sessions, log } = this.#parts;
    if (!this.takesCode)
      throw new TechnicianError(
        'unauthorized',
        'The controller is claimed: a pass is needed, or the button on the board',
      );
    const lockedMs = throttle.lockedForMs();
    if (lockedMs > 0) {
      const seconds = String(Math.ceil(lockedMs / 1_000));
      const message = `Too many wrong codes: try again in ${seconds} s`;
      throw new TechnicianError('rate_limited', message, {}, { 'retry-after': seconds });
    }
    if (!code.matches(typed)) {
      throttle.wrong();
      log('warn', 'a wrong setup code was tried', { locked_seconds: Math.ceil(throttle.lockedForMs() / 1_000) });
      throw new TechnicianError('unauthorized', 'That is not the setup code of this controller');
    }
    throttle.clear();
    return sessions.open('code', { pass_id: null, user_id: null }, Number.POSITIVE_INFINITY);
  }

  /** Not throttled: signatures cannot be guessed, and somebody who guesses codes must not lock the others out. */
  #byPass(text: string): ReturnType<Sessions['open']> {
    const { owner, wall, sessions } = this.#parts;
    const own = owner();
    if (own === null)
      throw new TechnicianError(
        'unauthorized',
        'The controller is not claimed yet: the setup code on its label is needed',
      );
    const read = readTechnicianPass(
      text,
      { ...own, now: wall.now(), time_trusted: wall.trusted() },
      signatureVerifier(own.organization_key),
    );
    if (!read.ok)
      throw new TechnicianError(
        'unauthorized',
        passProblems[read.problems[0]?.code ?? ''] ?? 'The pass is not valid here',
      );
    const { id, user_id, expires_at } = read.value;
    return sessions.open('pass', { pass_id: id, user_id }, expires_at - wall.now());
  }
}
