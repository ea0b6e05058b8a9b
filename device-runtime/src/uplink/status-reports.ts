import { after } from '@lintel/access-core/monotonic';
import type { State } from '@lintel/wire-protocol/mqtt/messages/state';
import type { Status } from '@lintel/wire-protocol/mqtt/messages/status';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { PowerSupply } from '@lintel/drivers/ports/power-supply';
import type { WallClock } from '../clock/wall-clock.ts';
import type { Controller } from '../controller/controller.ts';
import type { Speaker } from './uplink-publisher.ts';

const LOOK_MS = 1_000;
const TELL_EVERY_MS = 300_000;
const MOST_FAULTS = 100;
const MOST_GADGETS = 100;
const LONGEST_CODE = 100;
const LONGEST_MESSAGE = 500;

type GadgetState = State['gadgets'][number];

export interface StatusReportsParts {
  readonly controller: Controller;
  readonly speaker: Speaker;
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

  begin(): void {
    this.end();
    this.#told = '';
    this.#toldStates = new Map();
    this.look();
  }

  end(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Also right after a gadget has changed. */
  look(): void {
    this.#tellStates();
    this.#tellStatus();
    this.end();
    const { clock } = this.#parts;
    this.#cancel = clock.wake(after(clock.now(), LOOK_MS), () => {
      this.#sinceTold += LOOK_MS;
      this.look();
    });
  }

  get isTelling(): boolean {
    return this.#cancel !== null;
  }

  #tellStatus(): void {
    const { controller, speaker, wall, power } = this.#parts;
    const known = { ...power(), faults: this.#faults(), technician: this.#page() };
    const text = JSON.stringify({ ...known, battery_percent: null });
    if (text === this.#told && this.#sinceTold < TELL_EVERY_MS) return;
    this.#told = text;
    this.#sinceTold = 0;
    const waiting_events = controller.waitingEvents();
    void speaker.say('status', { v: 1, at: wall.now(), ...known, waiting_events });
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
      void this.#parts.speaker.say('state', { v: 1, gadgets });
    }
  }
}
