import { performance } from 'node:perf_hooks';
import type { HelloMessage } from '@lintel/wire-protocol/mqtt/messages/hello';
import type { DeviceLinkRow } from '../../storage/device-schema.ts';
import { systemActor } from '../../transactions/actor.ts';
import type { WriteContext, OrganizationWriter } from '../../transactions/organization-writer.ts';
import type { DownlinkCounters } from '../downlink/downlink-counters.ts';
import { setDeviceOnline } from './device-status.ts';

/** A hello within this time of the previous one is batched. */
const BATCH_IF_WITHIN_MS = 100;
/** Time to collect a batch. */
const BATCH_MS = 20;

interface PendingHello {
  readonly link: DeviceLinkRow;
  readonly hello: HelloMessage;
  readonly succeed: () => void;
  readonly fail: (error: unknown) => void;
}

/** Writes hellos to the database. Batches them when many devices connect at once, as after a power cut. */
export class HelloRecorder {
  readonly #writer: OrganizationWriter;
  readonly #counters: DownlinkCounters;
  #pending: PendingHello[] = [];
  #timer: NodeJS.Timeout | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(writer: OrganizationWriter, counters: DownlinkCounters) {
    this.#writer = writer;
    this.#counters = counters;
  }

  /** Resolves after the commit. */
  record(link: DeviceLinkRow, hello: HelloMessage): Promise<void> {
    return new Promise((succeed, fail) => {
      this.#pending.push({ link, hello, succeed, fail });
      if (this.#timer !== undefined) return;
      if (performance.now() - this.#lastAt > BATCH_IF_WITHIN_MS) this.#flush();
      else this.#timer = setTimeout(() => this.#flush(), BATCH_MS);
    });
  }

  #flush(): void {
    this.#timer = undefined;
    this.#lastAt = performance.now();
    const batch = this.#pending;
    this.#pending = [];
    for (const [id, hellos] of Map.groupBy(batch, ({ link }) => link.organization_id)) {
      const written = hellos.length === 1 ? this.#writeOne(hellos[0]!) : this.#writeBatch(id, hellos);
      written.catch(error => {
        for (const { fail } of hellos) fail(error);
      });
    }
  }

  async #writeOne({ link, hello, succeed, fail }: PendingHello): Promise<void> {
    const { organization_id, device_id } = link;
    try {
      const onCommitted = await this.#writer.write(organization_id, { device_id }, context =>
        this.#write(context, link, hello),
      );
      onCommitted();
      succeed();
    } catch (error) {
      fail(error);
    }
  }

  /** Retries a hello that fails in the batch separately, so that the others succeed. */
  async #writeBatch(organizationId: string, batch: readonly PendingHello[]): Promise<void> {
    const results = await this.#writer.writeNested(organizationId, systemActor, async (_, joined) => {
      const attempts: (PendingHello & { readonly onCommitted: (() => void) | null })[] = [];
      for (const pending of batch) {
        const { link, hello } = pending;
        const { device_id } = link;
        const onCommitted = await joined
          .write(organizationId, { device_id }, context => this.#write(context, link, hello))
          .catch(() => null);
        attempts.push({ ...pending, onCommitted });
      }
      return attempts;
    });
    for (const { onCommitted, ...pending } of results) {
      if (onCommitted === null) void this.#writeOne(pending);
      else {
        onCommitted();
        pending.succeed();
      }
    }
  }

  async #write(context: WriteContext, link: DeviceLinkRow, hello: HelloMessage): Promise<() => void> {
    const { session_nonce, serial, firmware, down_counter } = hello;
    await context.db
      .updateTable('device_links')
      .set({ session_nonce, serial, firmware, seen_at: context.now })
      .where('device_id', '=', link.device_id)
      .execute();
    // Peers verify its signatures with the new certificate from now on.
    if (serial !== link.serial) context.markChanged('device', link.device_id);
    await setDeviceOnline(context, link.device_id, true);
    return this.#counters.prepareForHello(context.db, serial, down_counter);
  }
}
