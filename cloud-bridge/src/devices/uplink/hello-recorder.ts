import { performance } from 'node:perf_hooks';
import type { HelloMqttMessage } from '@lintel/wire-protocol/mqtt/messages/hello';
import { sql } from 'kysely';
import { createJsonRowsParameter } from '../../storage/rows-as-json-parameter.ts';
import type { DeviceLinkRow } from '../../storage/device-schema.ts';
import { systemActor } from '../../transactions/actor.ts';
import type { WriteContext, OrganizationWriter } from '../../transactions/organization-writer.ts';
import type { DownlinkCounterAllocator } from '../downlink/downlink-counter-allocator.ts';
import { setDevicesOnline } from './update-device-status.ts';

/** A hello within this time of the previous one is batched. */
const BATCH_IF_WITHIN_MS = 100;
/** Time to collect a batch. */
const BATCH_MS = 20;
/** After a batch of several hellos, because larger batches take less time for each of them. */
const BATCH_IN_STORM_MS = 200;

interface PendingHello {
  readonly link: DeviceLinkRow;
  readonly hello: HelloMqttMessage;
  readonly counter: number;
  readonly settle: (isAccepted: boolean) => void;
  readonly fail: (error: unknown) => void;
}

interface WrittenHellos {
  /** The devices whose hello is newer than the last one. */
  readonly accepted: ReadonlySet<string>;
  readonly onCommitted: () => void;
}

const HELLO_COLUMNS = {
  id: 'text',
  new_nonce: 'text',
  new_serial: 'text',
  new_firmware: 'text',
  counter: 'int',
  below: 'int',
} as const;

/** Writes hellos to the database. Batches them when many devices connect at once, as after a power cut. */
export class HelloRecorder {
  readonly #writer: OrganizationWriter;
  readonly #counters: DownlinkCounterAllocator;
  #pending: PendingHello[] = [];
  #timer: NodeJS.Timeout | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;
  #lastSize = 0;
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
      else this.#timer = setTimeout(() => this.#flush(), this.#lastSize > 1 ? BATCH_IN_STORM_MS : BATCH_MS);
    });
  }

  #flush(): void {
    this.#timer = undefined;
    this.#lastAt = performance.now();
    const batch = this.#pending;
    this.#pending = [];
    this.#lastSize = batch.length;
    for (const hellos of Map.groupBy(batch, ({ link }) => link.organization_id).values()) void this.#writeGroup(hellos);
  }

  async #writeGroup(hellos: readonly PendingHello[]): Promise<void> {
    // The second hello of a device comes after the first.
    const devices = new Set<string>();
    const [first, repeated]: [PendingHello[], PendingHello[]] = [[], []];
    for (const hello of hellos) {
      (devices.has(hello.link.device_id) ? repeated : first).push(hello);
      devices.add(hello.link.device_id);
    }
    await this.#write(first);
    for (const hello of repeated) await this.#write([hello]);
  }

  /** If one hello fails, the others are written separately. Never rejects. */
  async #write(hellos: readonly PendingHello[]): Promise<void> {
    const { organization_id } = hellos[0]!.link;
    try {
      const { accepted, onCommitted } = await this.#writer.write(organization_id, systemActor, context =>
        this.#writeRows(context, hellos),
      );
      onCommitted();
      for (const { link, settle } of hellos) settle(accepted.has(link.device_id));
    } catch (error) {
      if (hellos.length === 1) return hellos[0]!.fail(error);
      for (const hello of hellos) {
        // The failed write may have been committed.
        this.#uncertain.set(hello.link.device_id, hello.counter);
        await this.#write([hello]);
      }
    }
  }

  async #writeRows(context: WriteContext, hellos: readonly PendingHello[]): Promise<WrittenHellos> {
    const rows = hellos.map(({ link, hello: { session_nonce, serial, firmware }, counter }) => ({
      id: link.device_id,
      new_nonce: session_nonce,
      new_serial: serial,
      new_firmware: firmware,
      counter,
      below: this.#uncertain.get(link.device_id) === counter ? counter + 1 : counter,
    }));
    const { rows: updated } = await sql<{ device_id: string }>`update device_links set session_nonce = o.new_nonce,
      serial = o.new_serial, firmware = o.new_firmware, seen_at = ${sql.val(context.now)}, offline_since = null, hello_counter = o.counter
      from ${createJsonRowsParameter(context.engine, HELLO_COLUMNS, rows)}
      where device_id = o.id and hello_counter < o.below returning device_id`.execute(context.db);
    const accepted = new Set(updated.map(({ device_id }) => device_id));
    const acceptedHellos = hellos.filter(({ link }) => accepted.has(link.device_id));
    // Peers verify its signatures with the new certificate from now on.
    for (const { link, hello } of acceptedHellos)
      if (hello.serial !== link.serial) context.markChanged('device', link.device_id);
    await setDevicesOnline(context, [...accepted], true, device_id => ({ device_id }));
    const seen = acceptedHellos.map(({ hello: { serial, down_counter } }) => ({ serial, seen: down_counter }));
    return { accepted, onCommitted: await this.#counters.prepareForHellos(context.db, seen) };
  }
}
