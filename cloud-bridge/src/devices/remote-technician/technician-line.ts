import { randomUUID } from 'node:crypto';
import type { DeviceId, OAuthApplicationId, UserId } from '@lintel/access-core/ids';
import type { TechnicianRequest } from '@lintel/wire-protocol/mqtt/messages/technician';
import type { TechnicianAnswer } from '@lintel/wire-protocol/mqtt/messages/technician-answer';
import type { TechnicianLive } from '@lintel/wire-protocol/mqtt/messages/technician-live';
import type { Services } from '../../services.ts';
import type { Downlink } from '../downlink/downlink.ts';
import { lineElsewhere, type SessionLine } from '../session-line.ts';
import type { Sessions } from '../sessions.ts';
import { AnswerParts, type FarAnswer } from './answer-parts.ts';
import { LiveWatches, type Onlooker } from './live-watches.ts';

const DEADLINE_MS = 10_000;
/** The way there and back, beyond the time that the controller has. */
const TRAVEL_MS = 2_000;

/** Who is signed in at the bridge, and by whose token. */
export interface FarSubject {
  readonly user_id: UserId | null;
  readonly oauth_application_id: OAuthApplicationId | null;
}

export type FarQuestion = Pick<TechnicianRequest, 'method' | 'path' | 'body'> & FarSubject;

interface Waiting {
  readonly deviceId: string;
  readonly parts: AnswerParts;
  readonly resolve: (answer: FarAnswer | null) => void;
}

export interface TechnicianLineParts {
  readonly services: Pick<Services, 'storage' | 'clock'>;
  readonly sessions: Sessions;
  readonly downlink: Downlink;
  readonly deadlineMs?: number | undefined;
}

/** Forwards requests of remote technicians to controllers, and responses and live events back. */
export class TechnicianLine {
  readonly #parts: TechnicianLineParts;
  readonly #deadlineMs: number;
  readonly #waiting = new Map<string, Waiting>();
  readonly #watches = new LiveWatches();

  constructor(parts: TechnicianLineParts) {
    this.#parts = parts;
    this.#deadlineMs = parts.deadlineMs ?? DEADLINE_MS;
  }

  /** Null when the controller is not there, or has not answered in time. */
  async ask(deviceId: string, question: FarQuestion): Promise<FarAnswer | null> {
    const { services, downlink } = this.#parts;
    const line = await this.#lineOf(deviceId);
    if (line === null) return null;
    const request_id = randomUUID();
    const answer = this.#answerTo(request_id, deviceId);
    try {
      await downlink.send(line, 'technician', {
        v: 1,
        request_id,
        session_nonce: line.nonce,
        sent_at: services.clock(),
        deadline_ms: this.#deadlineMs,
        ...question,
      });
    } catch {
      this.#waiting.get(request_id)?.resolve(null);
    }
    return answer;
  }

  async #lineOf(deviceId: string): Promise<SessionLine | null> {
    const { sessions, services } = this.#parts;
    return sessions.of(deviceId) ?? lineElsewhere(services.storage.reader, deviceId as DeviceId);
  }

  #answerTo(requestId: string, deviceId: string): Promise<FarAnswer | null> {
    return new Promise(resolve => {
      const late = setTimeout(() => settle(null), this.#deadlineMs + TRAVEL_MS);
      const settle = (answer: FarAnswer | null): void => {
        clearTimeout(late);
        this.#waiting.delete(requestId);
        resolve(answer);
      };
      this.#waiting.set(requestId, { deviceId, parts: new AnswerParts(), resolve: settle });
    });
  }

  answered(deviceId: string, answer: TechnicianAnswer): void {
    const waiting = this.#waiting.get(answer.request_id);
    if (waiting?.deviceId !== deviceId) return;
    const whole = waiting.parts.take(answer);
    if (whole !== null) waiting.resolve(whole);
  }

  /** The controller has gone: nobody waits for it in vain, and whoever looks on comes again. */
  gone(deviceId: string): void {
    for (const waiting of this.#waiting.values()) if (waiting.deviceId === deviceId) waiting.resolve(null);
    this.#watches.lost(deviceId);
  }

  /** False when the controller is not to be reached. */
  watch(deviceId: string, subject: FarSubject, onlooker: Onlooker): Promise<boolean> {
    return this.#watches.begin(deviceId, onlooker, async () => {
      const nonce = (await this.#lineOf(deviceId))?.nonce ?? null;
      const answer =
        nonce === null ? null : await this.ask(deviceId, { ...subject, method: 'GET', path: '/live', body: null });
      return answer?.status === 200 ? nonce : null;
    });
  }

  unwatch(deviceId: string, onlooker: Onlooker): void {
    this.#watches.end(deviceId, onlooker);
  }

  happened(deviceId: string, live: TechnicianLive): void {
    this.#watches.happened(deviceId, live);
  }

  /** Nobody will answer any more. */
  close(): void {
    for (const { resolve } of this.#waiting.values()) resolve(null);
    this.#watches.close();
  }
}
