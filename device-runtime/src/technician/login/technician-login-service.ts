import { createSignatureVerifier } from '@lintel/crypto/verify-ed25519';
import { verifyP256 } from '@lintel/crypto/p256';
import type { DeviceId, OrganizationId, SiteId } from '@lintel/access-core/ids';
import { readVerifiedTechnicianPass } from '@lintel/wire-protocol/claiming/technician-pass';
import { fromBase64url } from '@lintel/wire-protocol/encoding/base64url';
import type { TechnicianChallengeResponse, TechnicianLoginRequest } from '@lintel/wire-protocol/technician/login';
import { encodeTechnicianLoginProofSigningBytes } from '@lintel/wire-protocol/technician/login-proof';
import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { WallClock } from '../../clock/wall-clock-interface.ts';
import { LOGIN_CHALLENGE_LIFETIME_MS, type LoginChallenges } from './login-challenges.ts';
import type { SetupCodeThrottle } from './setup-code-throttle.ts';
import type { TechnicianLoginSession, TechnicianSessionRegistry } from './session-registry.ts';
import type { SetupCode } from './setup-code.ts';
import { TechnicianRequestError } from '../errors/technician-request-error.ts';

/** The site and the controller that a technician pass must be for. */
export interface RequiredPassScope {
  readonly organization_id: OrganizationId;
  readonly site_id: SiteId;
  readonly device_id: DeviceId;
  /** Ed25519, 32 bytes in base64url. */
  readonly organization_key: string;
}

interface LoginServiceDependencies {
  readonly code: SetupCode;
  readonly throttle: SetupCodeThrottle;
  readonly challenges: LoginChallenges;
  /** SHA-256 of the certificate of the page. */
  readonly fingerprint: string;
  readonly sessions: TechnicianSessionRegistry;
  readonly owner: () => RequiredPassScope | null;
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly wall: Pick<WallClock, 'now' | 'isTrusted'>;
  readonly log: Log;
}

/** How long the setup code works after the button was pressed. */
const BUTTON_MS = 15 * 60_000;

const passProblems: Readonly<Record<string, string>> = {
  wrong_site: 'The pass is for another site',
  wrong_device: 'The pass is for another controller: get one for this controller',
  expired: 'The pass has expired: get a new one',
  not_yet: 'The pass is not valid yet: the clock of the controller is slow',
};

/** Logs technicians in: with the setup code before the claim, with a pass of the site after it. */
export class TechnicianLoginService {
  readonly #parts: LoginServiceDependencies;
  #buttonUntil: MonotonicTime | null = null;

  constructor(parts: LoginServiceDependencies) {
    this.#parts = parts;
  }

  /** Called when the button on the board is pressed. */
  onSetupButton(): void {
    this.#buttonUntil = addMilliseconds(this.#parts.clock.now(), BUTTON_MS);
    this.#parts.throttle.clear();
  }

  /** A press from before the claim does not count after it. */
  onClaimed(): void {
    this.#buttonUntil = null;
    this.#parts.sessions.endSessionsOfEarlierOwners();
  }

  /** The button was pressed in the last 15 minutes, after the claim. */
  get isButtonActive(): boolean {
    return this.#buttonMs > 0;
  }

  get #buttonMs(): number {
    return this.#buttonUntil === null ? 0 : Math.max(0, this.#buttonUntil - this.#parts.clock.now());
  }

  get acceptsSetupCode(): boolean {
    return this.#parts.owner() === null || this.isButtonActive;
  }

  /**
   * What the setup code permits is checked at each use: before the claim, and while the button is active. A pass never
   * permits it to change the owner.
   */
  hasSetupRights({ by }: { readonly by: TechnicianLoginSession['by'] | 'remote' }): boolean {
    return by === 'code' && this.acceptsSetupCode;
  }

  get loginMethods(): ('code' | 'pass')[] {
    return [
      ...(this.acceptsSetupCode ? (['code'] as const) : []),
      ...(this.#parts.owner() === null ? [] : (['pass'] as const)),
    ];
  }

  /** For a login with a pass. `address`: of the client. */
  createChallenge(address: string | undefined): TechnicianChallengeResponse {
    const { challenges, fingerprint } = this.#parts;
    const { device_id } = this.#requireOwner();
    return {
      challenge: challenges.create(address),
      device_id,
      fingerprint,
      expires_in: LOGIN_CHALLENGE_LIFETIME_MS / 1_000,
    };
  }

  login(request: TechnicianLoginRequest): { readonly token: string; readonly session: TechnicianLoginSession } {
    return request.pass === undefined
      ? this.#loginWithCode(request.code ?? '')
      : this.#loginWithPass(request.pass, request.challenge ?? '', request.signature ?? '');
  }

  #requireOwner(): RequiredPassScope {
    const own = this.#parts.owner();
    if (own !== null) return own;
    throw new TechnicianRequestError(
      'unauthorized',
      'The controller is not claimed yet. Sign in with the setup code on its label',
    );
  }

  #loginWithCode(typed: string): ReturnType<TechnicianSessionRegistry['open']> {
    const { code, throttle, sessions, owner, log } = this.#parts;
    if (!this.acceptsSetupCode)
      throw new TechnicianRequestError(
        'unauthorized',
        'The controller is claimed. Sign in with a technician pass, or press the setup button',
      );
    const lockedMs = throttle.lockedForMs();
    if (lockedMs > 0) {
      const seconds = String(Math.ceil(lockedMs / 1_000));
      const message = `Too many wrong codes: try again in ${seconds} s`;
      throw new TechnicianRequestError('rate_limited', message, {}, { 'retry-after': seconds });
    }
    if (!code.matches(typed)) {
      throttle.countWrongEntry();
      log('warn', 'Wrong setup code', { locked_seconds: Math.ceil(throttle.lockedForMs() / 1_000) });
      throw new TechnicianRequestError('unauthorized', 'Wrong setup code');
    }
    throttle.clear();
    const most_ms = owner() === null ? Number.POSITIVE_INFINITY : this.#buttonMs;
    return sessions.open('code', { pass_id: null, user_id: null }, most_ms);
  }

  /** Not locked out by wrong codes: signatures cannot be guessed. Only the number of challenges is limited. */
  #loginWithPass(text: string, challenge: string, signature: string): ReturnType<TechnicianSessionRegistry['open']> {
    const { challenges, fingerprint, wall, sessions } = this.#parts;
    const own = this.#requireOwner();
    if (!challenges.use(challenge))
      throw new TechnicianRequestError('unauthorized', 'The challenge is unknown, used or expired: request a new one');
    const read = readVerifiedTechnicianPass(
      text,
      { ...own, now: wall.now(), time_trusted: wall.isTrusted() },
      createSignatureVerifier(own.organization_key),
    );
    if (!read.ok)
      throw new TechnicianRequestError(
        'unauthorized',
        passProblems[read.problems[0]?.code ?? ''] ?? 'The pass is not valid here',
      );
    const { id, user_id, user_name = null, public_key, expires_at } = read.value;
    const proof = encodeTechnicianLoginProofSigningBytes({
      challenge,
      device_id: own.device_id,
      fingerprint,
      pass_id: id,
    });
    if (!verifyP256(public_key, proof, fromBase64url(signature) ?? new Uint8Array()))
      throw new TechnicianRequestError(
        'unauthorized',
        'The signature is not by the key of the pass: get a pass in the browser that uses it',
      );
    challenges.release(challenge);
    return sessions.open('pass', { pass_id: id, user_id, user_name, proof: { pass: text } }, expires_at - wall.now());
  }
}
