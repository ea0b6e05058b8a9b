import type { UplinkPublisher } from '@lintel/device-link/session/uplink/uplink-publisher';
import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { GadgetStatesMqttMessage } from '@lintel/wire-protocol/mqtt/messages/gadget-states';
import type { DeviceStatusMqttMessage } from '@lintel/wire-protocol/mqtt/messages/device-status';
import { guardTimerWork } from '@lintel/service/timing/repeating-timer';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { PowerStatusReader } from '@lintel/drivers/interfaces';
import type { WallClock } from '../clock/wall-clock-interface.ts';
import type { Controller } from '../controller/controller.ts';

const CHECK_INTERVAL_MS = 1_000;
const REPORT_INTERVAL_MS = 300_000;
const MOST_FAULTS = 100;
const MOST_GADGETS = 100;
const LONGEST_CODE = 100;
const LONGEST_MESSAGE = 500;

type GadgetState = GadgetStatesMqttMessage['gadgets'][number];

export interface StatusReporterDependencies {
  readonly controller: Controller;
  readonly publisher: UplinkPublisher;
  readonly clock: MonotonicClock;
  readonly wall: WallClock;
  readonly power: PowerStatusReader;
}

/** Reports the status of the controller and its gadgets: on connection, on change, and regularly. */
export class StatusReporter {
  readonly #parts: StatusReporterDependencies;
  #lastReport = '';
  #msSinceReport = 0;
  #reportedStates = new Map<string, string>();
  #cancel: (() => void) | null = null;

  constructor(parts: StatusReporterDependencies) {
    this.#parts = parts;
  }

  setOnline(isOnline: boolean): void {
    this.#stop();
    if (!isOnline) return;
    this.#lastReport = '';
    this.#reportedStates = new Map();
    this.reportChanges();
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Also called right after a gadget changed. */
  reportChanges(): void {
    this.#stop();
    const { clock } = this.#parts;
    const check = guardTimerWork(() => {
      this.#msSinceReport += CHECK_INTERVAL_MS;
      this.reportChanges();
    });
    this.#cancel = clock.wake(addMilliseconds(clock.now(), CHECK_INTERVAL_MS), check);
    this.#reportStates();
    this.#reportStatus();
  }

  get isReporting(): boolean {
    return this.#cancel !== null;
  }

  #reportStatus(): void {
    const { controller, publisher, wall, power } = this.#parts;
    const known = { ...power(), faults: this.#faults(), technician: this.#page() };
    const text = JSON.stringify({ ...known, battery_percent: null });
    if (text === this.#lastReport && this.#msSinceReport < REPORT_INTERVAL_MS) return;
    this.#lastReport = text;
    this.#msSinceReport = 0;
    const waiting_events = controller.waitingEventCount();
    void publisher.publish('status', { v: 1, at: wall.now(), ...known, waiting_events });
  }

  #page(): DeviceStatusMqttMessage['technician'] {
    const { page } = this.#parts.controller.technician;
    return page === null
      ? null
      : { name: page.name, url: page.url, address: page.address, fingerprint: page.fingerprint };
  }

  #faults(): DeviceStatusMqttMessage['faults'] {
    return this.#parts.controller
      .faults()
      .slice(0, MOST_FAULTS)
      .map(({ code, since, message }) => ({
        code: code.slice(0, LONGEST_CODE),
        since,
        message: message.slice(0, LONGEST_MESSAGE),
      }));
  }

  #reportStates(): void {
    const changed = this.#parts.controller
      .gadgetStates()
      .filter(({ gadget_id, state_id }) => this.#reportedStates.get(gadget_id) !== state_id);
    for (const { gadget_id, state_id } of changed) this.#reportedStates.set(gadget_id, state_id);
    for (let at = 0; at < changed.length; at += MOST_GADGETS) {
      const gadgets = changed.slice(at, at + MOST_GADGETS) as GadgetState[];
      void this.#parts.publisher.publish('state', { v: 1, gadgets });
    }
  }
}
