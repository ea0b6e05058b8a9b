import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import type { EventHopTimes, SimulatorActivityEntry } from '@lintel/wire-protocol/simulator/activity-entry';
import type { TechnicianEventResponse } from '@lintel/wire-protocol/technician/live-message';
import { type TrackedDevice, summarizeBridgeEvent, summarizeDeviceEvent } from './event-summary.ts';

export interface ActivityLogOptions {
  readonly controllers: readonly TrackedDevice[];
  readonly nameOf: (memberId: string) => string | null;
  readonly now: () => number;
  readonly onChange: (entry: SimulatorActivityEntry) => void;
}

const MAX_ENTRIES = 200;

const nowhere: EventHopTimes = { door: null, gateway: null, bridge: null, webhook: null };

const earlier = (a: string, b: string): string => (Date.parse(a) <= Date.parse(b) ? a : b);

/** By the local clock, because the clock of a controller can be wrong. */
const seenAt = ({ way, at }: SimulatorActivityEntry): number => Date.parse(way.door ?? way.bridge ?? at);

/** The newest events, with the time at which each one reached door, gateway, bridge and webhook. */
export class ActivityLog {
  readonly #options: ActivityLogOptions;
  readonly #entries = new Map<string, SimulatorActivityEntry>();
  /** Event ids that were seen at the gateway before the controller reported them, with the time. */
  readonly #seenAtGateway = new Map<string, string>();

  constructor(options: ActivityLogOptions) {
    this.#options = options;
  }

  /** Newest first. */
  list(): readonly SimulatorActivityEntry[] {
    return [...this.#entries.values()].reverse().toSorted((a, b) => seenAt(b) - seenAt(a));
  }

  #put(entry: SimulatorActivityEntry): void {
    this.#entries.set(entry.id, entry);
    if (this.#entries.size > MAX_ENTRIES) {
      const oldest = this.list().at(-1)!.id;
      this.#entries.delete(oldest);
      if (oldest === entry.id) return;
    }
    this.#options.onChange(entry);
  }

  #now(): string {
    return new Date(this.#options.now()).toISOString();
  }

  /** `isNew`: the controller recorded the event now, not before the simulator connected. */
  recordedAtDoor(controllerKey: string, event: TechnicianEventResponse, isNew: boolean): void {
    const { controllers, nameOf } = this.#options;
    const controller = controllers.find(({ key }) => key === controllerKey);
    if (controller === undefined || this.#entries.has(event.id)) return;
    const gateway = this.#seenAtGateway.get(event.id) ?? null;
    this.#seenAtGateway.delete(event.id);
    const recorded = isNew ? this.#now() : event.occurred_at;
    const door = gateway === null ? recorded : earlier(recorded, gateway);
    this.#put({
      ...summarizeDeviceEvent(controller, event, nameOf),
      way: { ...nowhere, door, gateway },
      deliveries: 0,
    });
  }

  passedGateway(ids: readonly string[]): void {
    for (const id of ids) {
      const known = this.#entries.get(id);
      if (known === undefined) this.#rememberGatewayTime(id);
      else if (known.way.gateway === null) this.#put({ ...known, way: { ...known.way, gateway: this.#now() } });
    }
  }

  #rememberGatewayTime(id: string): void {
    if (this.#seenAtGateway.size >= MAX_ENTRIES) this.#seenAtGateway.delete(this.#seenAtGateway.keys().next().value!);
    this.#seenAtGateway.set(id, this.#now());
  }

  #fromBridgeEvent(event: EventResponse, at: string): SimulatorActivityEntry | null {
    const summary = summarizeBridgeEvent(this.#options.controllers, event, this.#options.nameOf);
    if (summary === null) return null;
    const door = summary.decided_by === 'door' ? earlier(event.occurred_at, at) : null;
    return { ...summary, way: { ...nowhere, door }, deliveries: 0 };
  }

  committed(event: EventResponse, at: string = this.#now()): void {
    const known = this.#entries.get(event.id) ?? this.#fromBridgeEvent(event, at);
    if (known === null || known.way.bridge !== null) return;
    const { way, passes_gateway } = known;
    // An event from a controller behind the gateway has passed it, even if this was not observed.
    const gateway = way.gateway ?? (passes_gateway && way.door !== null ? at : null);
    this.#put({ ...known, way: { ...way, gateway, bridge: at } });
  }

  delivered(event: EventResponse, at: string = this.#now()): void {
    this.committed(event, at);
    const known = this.#entries.get(event.id);
    if (known === undefined) return;
    const way = { ...known.way, webhook: known.way.webhook ?? at };
    this.#put({ ...known, way, deliveries: known.deliveries + 1 });
  }
}
