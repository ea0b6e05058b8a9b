import { after, type Monotonic } from '@lintel/access-core/monotonic';
import { siteDirectory, type SiteDirectoryMessage } from '@lintel/wire-protocol/mqtt/messages/site-directory';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { StateStore } from '../state/state-store.ts';

type SiteDevice = SiteDirectoryMessage['devices'][number];
export type SiteGadget = SiteDevice['gadgets'][number] & { readonly device_id: SiteDevice['id'] };

interface SiteDirectoryParts {
  readonly state: StateStore;
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly changed: () => void;
}

const ASKED_AGAIN_MS = 15_000;

/**
 * What else there is at the site, for a technician who makes rules: snapshots hold only what the rules lead to already. It
 * is asked for when a technician looks, and remembered.
 */
export class SiteDirectory {
  readonly #parts: SiteDirectoryParts;
  #devices: readonly SiteDevice[];
  #quietUntil: Monotonic | null = null;
  #ask: () => void = () => undefined;

  constructor(parts: SiteDirectoryParts) {
    this.#parts = parts;
    this.#devices = siteDirectory.safeParse(parts.state.read('site_directory')).data?.devices ?? [];
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

  /** Somebody looks at it: asked again unless that was just done. */
  looked(): void {
    const now = this.#parts.clock.now();
    if (this.#quietUntil !== null && now < this.#quietUntil) return;
    this.#quietUntil = after(now, ASKED_AGAIN_MS);
    this.#ask();
  }

  onAsked(listener: () => void): void {
    this.#ask = listener;
  }

  learned(said: SiteDirectoryMessage): void {
    if (JSON.stringify(said.devices) === JSON.stringify(this.#devices)) return;
    this.#devices = said.devices;
    this.#parts.state.write('site_directory', said);
    this.#parts.changed();
  }

  forget(): void {
    this.#quietUntil = null;
    this.learned({ v: 1, devices: [] });
  }
}
