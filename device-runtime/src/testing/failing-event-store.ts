import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { SqliteEventStore } from '@lintel/event-store/sqlite-event-store';
import { EventStoreError } from '@lintel/event-store/event-store-interface';

/** A real event buffer whose disk fails on request. */
export class FailingEventStore extends SqliteEventStore {
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
