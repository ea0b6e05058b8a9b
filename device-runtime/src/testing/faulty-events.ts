import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { EventBuffer } from '../adapters/sqlite/event-buffer.ts';
import { EventStoreFailure } from '../ports/event-store.ts';

/** A real buffer on a disk that can be told to be full or broken. */
export class FaultyEvents extends EventBuffer {
  failing: EventStoreFailure['kind'] | null = null;

  override append(events: readonly DeviceEvent[]): void {
    if (this.failing !== null) throw new EventStoreFailure(this.failing);
    super.append(events);
  }

  override recover(): void {
    // The constructor calls it before the field is there.
    if (this.failing != null) throw new EventStoreFailure(this.failing);
    super.recover();
  }
}
