import { performance } from 'node:perf_hooks';
import type { Hello } from '@lintel/wire-protocol/mqtt/messages/hello';
import type { DeviceLinkRow } from '../../storage/device-schema.ts';
import { system } from '../../transactions/actor.ts';
import type { WriteContext, Writer } from '../../transactions/writer.ts';
import type { DownCounters } from '../downlink/down-counters.ts';
import { setOnline } from './device-status.ts';

/** A hello that comes so soon after others is one of many. */
const BUSY_MS = 100;
/** How long one of many waits for more. */
const GATHER_MS = 20;

interface Waiting {
  readonly link: DeviceLinkRow;
  readonly hello: Hello;
  readonly succeed: () => void;
  readonly fail: (error: unknown) => void;
}

/** Writes down who has come. When all come at once, as after a power cut, one flush to disk is for many of them. */
export class HelloNotes {
  readonly #writer: Writer;
  readonly #counters: DownCounters;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(writer: Writer, counters: DownCounters) {
    this.#writer = writer;
    this.#counters = counters;
  }

  /** Committed when it resolves. */
  note(link: DeviceLinkRow, hello: Hello): Promise<void> {
    return new Promise((succeed, fail) => {
      this.#waiting.push({ link, hello, succeed, fail });
      if (this.#timer !== undefined) return;
      if (performance.now() - this.#lastAt > BUSY_MS) this.#flush();
      else this.#timer = setTimeout(() => this.#flush(), GATHER_MS);
    });
  }

  #flush(): void {
    this.#timer = undefined;
    this.#lastAt = performance.now();
    const group = this.#waiting;
    this.#waiting = [];
    for (const [id, some] of Map.groupBy(group, ({ link }) => link.organization_id)) {
      const written = some.length === 1 ? this.#writeOne(some[0]!) : this.#writeTogether(id, some);
      written.catch(error => {
        for (const { fail } of some) fail(error);
      });
    }
  }

  async #writeOne({ link, hello, succeed, fail }: Waiting): Promise<void> {
    const { organization_id, device_id } = link;
    try {
      const committed = await this.#writer.write(organization_id, { device_id }, context =>
        this.#write(context, link, hello),
      );
      committed();
      succeed();
    } catch (error) {
      fail(error);
    }
  }

  /** One that cannot be written is tried again by itself, and does not take the others with it. */
  async #writeTogether(organizationId: string, group: readonly Waiting[]): Promise<void> {
    const outcomes = await this.#writer.writeJoined(organizationId, system, async (_, joined) => {
      const tried: (Waiting & { readonly committed: (() => void) | null })[] = [];
      for (const one of group) {
        const { link, hello } = one;
        const { device_id } = link;
        const committed = await joined
          .write(organizationId, { device_id }, context => this.#write(context, link, hello))
          .catch(() => null);
        tried.push({ ...one, committed });
      }
      return tried;
    });
    for (const { committed, ...one } of outcomes) {
      if (committed === null) void this.#writeOne(one);
      else {
        committed();
        one.succeed();
      }
    }
  }

  async #write(context: WriteContext, link: DeviceLinkRow, hello: Hello): Promise<() => void> {
    const { session_nonce, serial, firmware, down_counter } = hello;
    await context.db
      .updateTable('device_links')
      .set({ session_nonce, serial, firmware, seen_at: context.now })
      .where('device_id', '=', link.device_id)
      .execute();
    // Its neighbours check what it signs with another certificate from now on.
    if (serial !== link.serial) context.changed('device', link.device_id);
    await setOnline(context, link.device_id, true);
    return this.#counters.prepare(context.db, serial, down_counter);
  }
}
