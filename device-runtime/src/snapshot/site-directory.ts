import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic';
import { siteDirectoryMessage, type SiteDirectoryMessage } from '@lintel/wire-protocol/mqtt/messages/site-directory';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { ControllerStateStore } from '../state/controller-state-store.ts';

export type SiteDevice = SiteDirectoryMessage['devices'][number];
export type SiteGadget = SiteDevice['gadgets'][number] & { readonly device_id: SiteDevice['id'] };

interface SiteDirectoryDependencies {
  readonly state: ControllerStateStore;
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly onChange: () => void;
}

const REQUEST_INTERVAL_MS = 15_000;

/**
 * All gadgets of the site, for technicians who edit rules: a snapshot contains only the gadgets of existing rules. It is
 * requested when a technician opens the rules, and saved.
 */
export class SiteDirectory {
  readonly #parts: SiteDirectoryDependencies;
  #devices: readonly SiteDevice[];
  #nextRequestAt: MonotonicTime | null = null;
  #onUpdateRequested: () => void = () => undefined;

  constructor(parts: SiteDirectoryDependencies) {
    this.#parts = parts;
    this.#devices = siteDirectoryMessage.safeParse(parts.state.read('site_directory')).data?.devices ?? [];
  }

  get devices(): readonly SiteDevice[] {
    return this.#devices;
  }

  get gadgets(): readonly SiteGadget[] {
    return this.#devices.flatMap(({ id: device_id, gadgets }) => gadgets.map(gadget => ({ ...gadget, device_id })));
  }

  actionsOf(gadgetId: string): readonly string[] | undefined {
    return this.gadgets.find(({ id }) => id === gadgetId)?.actions.map(({ id }) => id);
  }

  /** Requests an update, unless one was just requested. */
  requestUpdate(): void {
    const now = this.#parts.clock.now();
    if (this.#nextRequestAt !== null && now < this.#nextRequestAt) return;
    this.#nextRequestAt = addMilliseconds(now, REQUEST_INTERVAL_MS);
    this.#onUpdateRequested();
  }

  onUpdateRequested(listener: () => void): void {
    this.#onUpdateRequested = listener;
  }

  update(directory: SiteDirectoryMessage): void {
    if (JSON.stringify(directory.devices) === JSON.stringify(this.#devices)) return;
    this.#devices = directory.devices;
    this.#parts.state.write('site_directory', directory);
    this.#parts.onChange();
  }

  clear(): void {
    this.#nextRequestAt = null;
    this.update({ v: 1, devices: [] });
  }
}
