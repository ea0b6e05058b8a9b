import type { BridgeServices } from '../../../bridge-services-interface.ts';
import { RateLimiter, type RateLimit } from '../../../http/rate-limit.ts';
import { recordIncident } from '../../../resources/incidents.ts';
import type { SendingDevice } from '../technician-proof.ts';

/** The burst is the backlog of a controller that was offline for weeks. */
const DEVICE_EVENT_RATE_LIMIT: RateLimit = { perSecond: 50, burst: 20_000 };
/** An episode ends when nothing was refused for so long. */
const EPISODE_MS = 3_600_000;

/**
 * How many events a controller may send to this bridge; with several bridges, each has its own count. A message that exceeds
 * the limit is neither stored nor acknowledged, so the controller keeps its events and sends them again later.
 */
export class DeviceEventRates {
  readonly #rates: RateLimiter;
  readonly #monotonic: () => number;
  /** When a message of the device was last refused. */
  readonly #refusedAt = new Map<string, number>();

  constructor(monotonicMilliseconds: () => number, limit = DEVICE_EVENT_RATE_LIMIT) {
    this.#monotonic = monotonicMilliseconds;
    this.#rates = new RateLimiter(limit, monotonicMilliseconds);
  }

  /** For a message that could not be stored and is handled again. */
  release(deviceId: string, events: number): void {
    this.#rates.returnPermit(deviceId, events);
  }

  /** False if the message must wait. Reports the first one of an episode. */
  async accept(
    { services }: { readonly services: Pick<BridgeServices, 'writer'> },
    { deviceId, organizationId }: SendingDevice,
    events: number,
  ): Promise<boolean> {
    if (this.#rates.tryTake(deviceId, events)) return true;
    const now = this.#monotonic();
    const isOngoing = (this.#refusedAt.get(deviceId) ?? -Infinity) > now - EPISODE_MS;
    for (const [device, at] of this.#refusedAt) if (at <= now - EPISODE_MS) this.#refusedAt.delete(device);
    this.#refusedAt.set(deviceId, now);
    if (!isOngoing)
      await services.writer.write(organizationId, { device_id: deviceId }, context =>
        recordIncident(context, 'device_event_flood', { device_ids: [deviceId], revoked_ids: [] }),
      );
    return false;
  }
}
