import type { UplinkPublisher } from '@lintel/device-link/session/uplink/uplink-publisher';
import { after } from '@lintel/access-core/monotonic';
import type { State } from '@lintel/wire-protocol/mqtt/messages/state';
import type { Status } from '@lintel/wire-protocol/mqtt/messages/status';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { PowerSupply } from '@lintel/drivers/ports/power-supply';
import type { WallClock } from '../clock/wall-clock.ts';
import type { Controller } from '../controller/controller.ts';

const LOOK_MS = 1_000;
const TELL_EVERY_MS = 300_000;
const MOST_FAULTS = 100;
const MOST_GADGETS = 100;
const LONGEST_CODE = 100;
const LONGEST_MESSAGE = 500;

type GadgetState = State['gadgets'][number];

export interface StatusReportsParts {
  readonly controller: Controller;
  readonly publisher: UplinkPublisher;
  readonly clock: MonotonicClock;
  readonly wall: WallClock;
  readonly power: PowerSupply;
}

/** Tells how the controller and its gadgets are: at first, when it changes, and now and then. */
export class StatusReports {
  readonly #parts: StatusReportsParts;
  #told = '';
  #sinceTold = 0;
  #toldStates = new Map<string, string>();
  #cancel: (() => void) | null = null;

  constructor(parts: StatusReportsParts) {
    this.#parts = parts;
  }

  setOnline(isOnline: boolean): void {
    this.#stop();
    if (!isOnline) return;
    this.#told = '';
    this.#toldStates = new Map();
    this.look();
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Also right after a gadget has changed. */
  look(): void {
    this.#tellStates();
    this.#tellStatus();
    this.#stop();
    const { clock } = this.#parts;
    this.#cancel = clock.wake(after(clock.now(), LOOK_MS), () => {
      this.#sinceTold += LOOK_MS;
      this.look();
    });
  }

  get isReporting(): boolean {
    return this.#cancel !== null;
  }

  #tellStatus(): void {
    const { controller, publisher, wall, power } = this.#parts;
    const known = { ...power(), faults: this.#faults(), technician: this.#page() };
    const text = JSON.stringify({ ...known, battery_percent: null });
    if (text === this.#told && this.#sinceTold < TELL_EVERY_MS) return;
    this.#told = text;
    this.#sinceTold = 0;
    const waiting_events = controller.waitingEvents();
    void publisher.publish('status', { v: 1, at: wall.now(), ...known, waiting_events });
  }

  #page(): Status['technician'] {
    const { page } = this.#parts.controller.technician;
    return page === null
      ? null
      : { name: page.name, url: page.url, address: page.address, fingerprint: page.fingerprint };
  }

  #faults(): Status['faults'] {
    return this.#parts.controller
      .faults()
      .slice(0, MOST_FAULTS)
      .map(({ code, since, message }) => ({
        code: code.slice(0, LONGEST_CODE),
        since,
        message: message.slice(0, LONGEST_MESSAGE),
      }));
  }

  #tellStates(): void {
    const changed = this.#parts.controller
      .gadgetStates()
      .filter(({ gadget_id, state_id }) => this.#toldStates.get(gadget_id) !== state_id);
    for (const { gadget_id, state_id } of changed) this.#toldStates.set(gadget_id, state_id);
    for (let at = 0; at < changed.length; at += MOST_GADGETS) {
      const gadgets = changed.slice(at, at + MOST_GADGETS) as GadgetState[];
      void this.#parts.publisher.publish('state', { v: 1, gadgets });
    }
  }
}
