import { performance } from 'node:perf_hooks';
import type { HelloMqttMessage } from '@lintel/wire-protocol/mqtt/messages/hello';
import type { DeviceLinkRow } from '../../storage/device-schema.ts';
import { systemActor } from '../../transactions/actor.ts';
import type { WriteContext, OrganizationWriter } from '../../transactions/organization-writer.ts';
import type { DownlinkCounterAllocator } from '../downlink/downlink-counter-allocator.ts';
import { setDeviceOnline } from './update-device-status.ts';

/** A hello within this time of the previous one is batched. */
const BATCH_IF_WITHIN_MS = 100;
/** Time to collect a batch. */
const BATCH_MS = 20;

interface PendingHello {
  readonly link: DeviceLinkRow;
  readonly hello: HelloMqttMessage;
  readonly counter: number;
  readonly settle: (isAccepted: boolean) => void;
  readonly fail: (error: unknown) => void;
}

/** To be called after the commit; null for a replayed hello. */
type WriteResult = (() => void) | null;

/** Writes hellos to the database. Batches them when many devices connect at once, as after a power cut. */
export class HelloRecorder {
  readonly #writer: OrganizationWriter;
  readonly #counters: DownlinkCounterAllocator;
  #pending: PendingHello[] = [];
  #timer: NodeJS.Timeout | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;
  /** Counters by device, of hellos whose write failed: a lost connection does not tell whether it was committed. */
  readonly #uncertain = new Map<string, number>();

  constructor(writer: OrganizationWriter, counters: DownlinkCounterAllocator) {
    this.#writer = writer;
    this.#counters = counters;
  }

  /** Resolves after the commit. False for a hello that is not newer than the last one of the device. */
  async record(link: DeviceLinkRow, hello: HelloMqttMessage, counter: number): Promise<boolean> {
    try {
      const isAccepted = await this.#enqueue(link, hello, counter);
      this.#uncertain.delete(link.device_id);
      return isAccepted;
    } catch (error) {
      this.#uncertain.set(link.device_id, counter);
      throw error;
    }
  }

  #enqueue(link: DeviceLinkRow, hello: HelloMqttMessage, counter: number): Promise<boolean> {
    return new Promise((settle, fail) => {
      this.#pending.push({ link, hello, counter, settle, fail });
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

  async #writeOne(pending: PendingHello): Promise<void> {
    const { settle, fail } = pending;
    const { organization_id, device_id } = pending.link;
    try {
      const onCommitted = await this.#writer.write(organization_id, { device_id }, context =>
        this.#write(context, pending),
      );
      onCommitted?.();
      settle(onCommitted !== null);
    } catch (error) {
      fail(error);
    }
  }

  /** Retries a hello that fails in the batch separately, so that the others succeed. */
  async #writeBatch(organizationId: string, batch: readonly PendingHello[]): Promise<void> {
    const results = await this.#writer.writeNested(organizationId, systemActor, async (_, joined) => {
      const attempts: (PendingHello & { readonly result: WriteResult | 'failed' })[] = [];
      for (const pending of batch) {
        const { device_id } = pending.link;
        const result = await joined
          .write(organizationId, { device_id }, context => this.#write(context, pending))
          .catch(() => 'failed' as const);
        attempts.push({ ...pending, result });
      }
      return attempts;
    });
    for (const { result, ...pending } of results) {
      if (result === 'failed') void this.#writeOne(pending);
      else {
        result?.();
        pending.settle(result !== null);
      }
    }
  }

  async #write(context: WriteContext, { link, hello, counter }: PendingHello): Promise<WriteResult> {
    const { session_nonce, serial, firmware, down_counter } = hello;
    const isRepeated = this.#uncertain.get(link.device_id) === counter;
    const { numUpdatedRows } = await context.db
      .updateTable('device_links')
      .set({ session_nonce, serial, firmware, seen_at: context.now, hello_counter: counter })
      .where('device_id', '=', link.device_id)
      .where('hello_counter', isRepeated ? '<=' : '<', counter)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return null;
    // Peers verify its signatures with the new certificate from now on.
    if (serial !== link.serial) context.markChanged('device', link.device_id);
    await setDeviceOnline(context, link.device_id, true);
    return this.#counters.prepareForHello(context.db, serial, down_counter);
  }
}
