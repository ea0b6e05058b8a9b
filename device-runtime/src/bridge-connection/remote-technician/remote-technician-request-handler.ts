import {
  type RequestFreshnessResult,
  RequestFreshness,
  type RequestFreshnessDependencies,
} from '@lintel/device-link/session/downlink/request-freshness';
import type { UplinkPublisher } from '@lintel/device-link/session/uplink/uplink-publisher';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { TechnicianRequestMqttMessage } from '@lintel/wire-protocol/mqtt/messages/technician-request';
import {
  TECHNICIAN_RESPONSE_PART_CHARS,
  MAX_TECHNICIAN_RESPONSE_PARTS,
} from '@lintel/wire-protocol/mqtt/messages/technician-response';
import type { Controller } from '../../controller/controller.ts';
import type { RemoteTechnicianResponse } from '../../controller/technician-page-endpoint-types.ts';
import { RemoteLiveStream } from './remote-live-stream.ts';

/** Request ids of the session. A request is handled once. */
const MAX_KNOWN_IDS = 1_000;
const MAX_CONCURRENT = 16;

const errorResponse = (status: number, type: string, message: string): RemoteTechnicianResponse => ({
  status,
  headers: {},
  body: JSON.stringify({ type, message, args: {} }),
});

const notServed = errorResponse(503, 'hardware_offline', "The controller's technician API is not served");
const outdated = errorResponse(503, 'hardware_offline', 'The request arrived too late, or for an earlier session');
const tooManyRequests = errorResponse(
  429,
  'rate_limited',
  'The controller handles too many requests already. Try again',
);
const tooLarge = errorResponse(
  413,
  'payload_too_large',
  'The response is too large for a remote request. Open it at the controller',
);

export interface RemoteTechnicianRequestHandlerDependencies extends RequestFreshnessDependencies {
  readonly clock: MonotonicClock;
  readonly controller: Pick<Controller, 'technician'>;
  readonly publisher: UplinkPublisher;
}

/** Handles requests of remote technicians: each once, in its own session and before its deadline. */
export class RemoteTechnicianRequestHandler {
  readonly #parts: RemoteTechnicianRequestHandlerDependencies;
  readonly #requests: RequestFreshness<TechnicianRequestMqttMessage>;
  readonly #live: RemoteLiveStream;
  readonly #knownIds = new Set<string>();
  #concurrent = 0;

  constructor(parts: RemoteTechnicianRequestHandlerDependencies) {
    this.#parts = parts;
    this.#requests = new RequestFreshness(parts, (request, freshness) => this.#settle(request, freshness));
    this.#live = new RemoteLiveStream(parts);
  }

  startSession(nonce: string): void {
    this.#live.startSession(nonce);
    if (this.#requests.startSession(nonce)) this.#knownIds.clear();
  }

  receive(request: TechnicianRequestMqttMessage, late_ms: number): void {
    if (!this.#knownIds.has(request.request_id)) this.#requests.receive(request, late_ms);
  }

  timeReceived(): void {
    this.#requests.timeReceived();
  }

  setOnline(isOnline: boolean): void {
    if (!isOnline) this.#live.stop();
  }

  #settle(request: TechnicianRequestMqttMessage, freshness: RequestFreshnessResult): void {
    // A repeated request may have waited for the trusted time as well.
    if (this.#knownIds.has(request.request_id)) return;
    this.#addKnownId(request.request_id);
    void (freshness === 'fresh' ? this.#handle(request) : this.#respond(request, outdated));
  }

  #addKnownId(requestId: string): void {
    this.#knownIds.add(requestId);
    for (const oldest of this.#knownIds) {
      if (this.#knownIds.size <= MAX_KNOWN_IDS) return;
      this.#knownIds.delete(oldest);
    }
  }

  async #handle(request: TechnicianRequestMqttMessage): Promise<void> {
    if (request.operation === 'watch_live') {
      this.#live.watch();
      return this.#respond(request, { status: 200, headers: {}, body: '{}' });
    }
    if (this.#concurrent >= MAX_CONCURRENT) return this.#respond(request, tooManyRequests);
    const { page } = this.#parts.controller.technician;
    if (page === null) return this.#respond(request, notServed);
    this.#concurrent++;
    try {
      await this.#respond(request, await page.handleRequest(request));
    } finally {
      this.#concurrent--;
    }
  }

  async #respond({ request_id }: TechnicianRequestMqttMessage, response: RemoteTechnicianResponse): Promise<void> {
    const parts = Math.max(1, Math.ceil(response.body.length / TECHNICIAN_RESPONSE_PART_CHARS));
    if (parts > MAX_TECHNICIAN_RESPONSE_PARTS)
      return this.#respond({ request_id } as TechnicianRequestMqttMessage, tooLarge);
    const { publisher } = this.#parts;
    for (let part = 0; part < parts; part++) {
      const body = response.body.slice(
        part * TECHNICIAN_RESPONSE_PART_CHARS,
        (part + 1) * TECHNICIAN_RESPONSE_PART_CHARS,
      );
      await publisher.publish('technician-answer', { v: 1, request_id, part, parts, ...response, body });
    }
  }
}
