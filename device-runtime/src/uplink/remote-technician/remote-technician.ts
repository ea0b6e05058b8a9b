import {
  type Freshness,
  RequestFreshness,
  type RequestFreshnessParts,
} from '@lintel/device-link/session/time/request-freshness';
import type { UplinkPublisher } from '@lintel/device-link/session/uplink/uplink-publisher';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { TechnicianRequest } from '@lintel/wire-protocol/mqtt/messages/technician';
import { ANSWER_PART_CHARS, MOST_ANSWER_PARTS } from '@lintel/wire-protocol/mqtt/messages/technician-answer';
import type { Controller } from '../../controller/controller.ts';
import type { RemoteResponse } from '../../controller/technician-page.ts';
import { RemoteLiveStream } from './remote-live-stream.ts';

/** Request ids that are remembered in a session: none is answered twice. */
const MOST_REMEMBERED = 1_000;
const MOST_AT_ONCE = 16;

const problem = (status: number, type: string, message: string): RemoteResponse => ({
  status,
  headers: {},
  body: JSON.stringify({ type, message, args: {} }),
});

const notServed = problem(503, 'hardware_offline', "The controller's technician API is not served");
const notForNow = problem(503, 'hardware_offline', 'The request has come too late, or for an earlier session');
const tooMany = problem(429, 'rate_limited', 'The controller has too many requests at once');
const tooLarge = problem(413, 'payload_too_large', 'The answer is too large to be sent: fetch it at the controller');

export interface RemoteTechnicianParts extends RequestFreshnessParts {
  readonly clock: MonotonicClock;
  readonly controller: Pick<Controller, 'technician'>;
  readonly publisher: UplinkPublisher;
}

/** What technicians far away ask through the bridge: once, in its own session and in time, or not at all. */
export class RemoteTechnician {
  readonly #parts: RemoteTechnicianParts;
  readonly #requests: RequestFreshness<TechnicianRequest>;
  readonly #live: RemoteLiveStream;
  readonly #seen = new Set<string>();
  #atOnce = 0;

  constructor(parts: RemoteTechnicianParts) {
    this.#parts = parts;
    this.#requests = new RequestFreshness(parts, (asked, freshness) => this.#settle(asked, freshness));
    this.#live = new RemoteLiveStream(parts);
  }

  startSession(nonce: string): void {
    this.#live.startSession(nonce);
    if (this.#requests.startSession(nonce)) this.#seen.clear();
  }

  receive(asked: TechnicianRequest, late_ms: number): void {
    if (!this.#seen.has(asked.request_id)) this.#requests.receive(asked, late_ms);
  }

  timeReceived(): void {
    this.#requests.timeReceived();
  }

  setOnline(isOnline: boolean): void {
    if (!isOnline) this.#live.stop();
  }

  #settle(asked: TechnicianRequest, freshness: Freshness): void {
    // One that waited for the time may have come twice meanwhile.
    if (this.#seen.has(asked.request_id)) return;
    this.#remember(asked.request_id);
    void (freshness === 'fresh' ? this.#answer(asked) : this.#say(asked, notForNow));
  }

  #remember(requestId: string): void {
    this.#seen.add(requestId);
    for (const oldest of this.#seen) {
      if (this.#seen.size <= MOST_REMEMBERED) return;
      this.#seen.delete(oldest);
    }
  }

  async #answer(asked: TechnicianRequest): Promise<void> {
    if (asked.method === 'GET' && asked.path === '/live') {
      this.#live.watch();
      return this.#say(asked, { status: 200, headers: {}, body: '{}' });
    }
    if (this.#atOnce >= MOST_AT_ONCE) return this.#say(asked, tooMany);
    const { page } = this.#parts.controller.technician;
    if (page === null) return this.#say(asked, notServed);
    this.#atOnce++;
    try {
      await this.#say(asked, await page.answer(asked));
    } finally {
      this.#atOnce--;
    }
  }

  async #say({ request_id }: TechnicianRequest, reply: RemoteResponse): Promise<void> {
    const parts = Math.max(1, Math.ceil(reply.body.length / ANSWER_PART_CHARS));
    if (parts > MOST_ANSWER_PARTS) return this.#say({ request_id } as TechnicianRequest, tooLarge);
    const { publisher } = this.#parts;
    for (let part = 0; part < parts; part++) {
      const body = reply.body.slice(part * ANSWER_PART_CHARS, (part + 1) * ANSWER_PART_CHARS);
      await publisher.publish('technician-answer', { v: 1, request_id, part, parts, ...reply, body });
    }
  }
}
