import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { EventStore, EventStoreError } from '../events/event-store.ts';

/** A real event store whose disk fails on request. */
export class FailingEventStore extends EventStore {
  failing: EventStoreError['kind'] | null = null;

  override append(events: readonly DeviceEvent[]): void {
    if (this.failing !== null) throw new EventStoreError(this.failing);
    super.append(events);
  }

  override recover(): void {
    // The constructor calls this before the field is initialized.
    if (this.failing != null) throw new EventStoreError(this.failing);
    super.recover();
  }
}
