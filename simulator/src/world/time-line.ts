import type { EventAnswer } from '@lintel/wire-protocol/rest/event';
import type { EventWay, Happening } from '@lintel/wire-protocol/simulator/happening';
import type { TechnicianEvent } from '@lintel/wire-protocol/technician/live';
import { type KnownController, storyAtBridge, storyAtDoor } from './event-story.ts';

export interface TimeLineParts {
  readonly controllers: readonly KnownController[];
  readonly nameOf: (memberId: string) => string | null;
  readonly now: () => number;
  readonly changed: (happening: Happening) => void;
}

const MOST_HAPPENINGS = 200;

const nowhere: EventWay = { door: null, gateway: null, bridge: null, webhook: null };

const earlier = (a: string, b: string): string => (Date.parse(a) <= Date.parse(b) ? a : b);

/** By this machine's clock: that of a controller may have been stepped. */
const seenAt = ({ way, at }: Happening): number => Date.parse(way.door ?? way.bridge ?? at);

/** What happened, and how far the word of it has come, by this machine's clock. Bounded: the oldest is forgotten. */
export class TimeLine {
  readonly #parts: TimeLineParts;
  readonly #happenings = new Map<string, Happening>();
  /** Seen at the gateway ahead of the door's own word. */
  readonly #early = new Map<string, string>();

  constructor(parts: TimeLineParts) {
    this.#parts = parts;
  }

  /** The newest first. */
  list(): readonly Happening[] {
    return [...this.#happenings.values()].reverse().toSorted((a, b) => seenAt(b) - seenAt(a));
  }

  #put(happening: Happening): void {
    this.#happenings.set(happening.id, happening);
    if (this.#happenings.size > MOST_HAPPENINGS) {
      const oldest = this.list().at(-1)!.id;
      this.#happenings.delete(oldest);
      if (oldest === happening.id) return;
    }
    this.#parts.changed(happening);
  }

  #now(): string {
    return new Date(this.#parts.now()).toISOString();
  }

  /** A controller has written it. `isNew`: just now; otherwise at some time before anybody looked. */
  writtenAtDoor(controllerKey: string, event: TechnicianEvent, isNew: boolean): void {
    const { controllers, nameOf } = this.#parts;
    const controller = controllers.find(({ key }) => key === controllerKey);
    if (controller === undefined || this.#happenings.has(event.id)) return;
    const gateway = this.#early.get(event.id) ?? null;
    this.#early.delete(event.id);
    const written = isNew ? this.#now() : event.occurred_at;
    const door = gateway === null ? written : earlier(written, gateway);
    this.#put({ ...storyAtDoor(controller, event, nameOf), way: { ...nowhere, door, gateway }, deliveries: 0 });
  }

  /** The gateway has taken these. */
  passedGateway(ids: readonly string[]): void {
    for (const id of ids) {
      const known = this.#happenings.get(id);
      if (known === undefined) this.#expect(id);
      else if (known.way.gateway === null) this.#put({ ...known, way: { ...known.way, gateway: this.#now() } });
    }
  }

  #expect(id: string): void {
    if (this.#early.size >= MOST_HAPPENINGS) this.#early.delete(this.#early.keys().next().value!);
    this.#early.set(id, this.#now());
  }

  #heardAtBridge(event: EventAnswer, at: string): Happening | null {
    const story = storyAtBridge(this.#parts.controllers, event, this.#parts.nameOf);
    if (story === null) return null;
    const door = story.decided_by === 'door' ? earlier(event.occurred_at, at) : null;
    return { ...story, way: { ...nowhere, door }, deliveries: 0 };
  }

  /** The bridge has committed it. */
  committed(event: EventAnswer, at: string = this.#now()): void {
    const known = this.#happenings.get(event.id) ?? this.#heardAtBridge(event, at);
    if (known === null || known.way.bridge !== null) return;
    const { way, passes_gateway } = known;
    // What has come here from behind the gateway has passed it, seen or not.
    const gateway = way.gateway ?? (passes_gateway && way.door !== null ? at : null);
    this.#put({ ...known, way: { ...way, gateway, bridge: at } });
  }

  /** The webhook's receiver has taken it. */
  delivered(event: EventAnswer, at: string = this.#now()): void {
    this.committed(event, at);
    const known = this.#happenings.get(event.id);
    if (known === undefined) return;
    const way = { ...known.way, webhook: known.way.webhook ?? at };
    this.#put({ ...known, way, deliveries: known.deliveries + 1 });
  }
}
