import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';

/** Space on the disk that is set aside for the last events when the disk is full. No method throws. */
export interface EventReserve {
  /** True when the events are on the disk. After false, no event is taken until `clear`. */
  append(events: readonly DeviceEvent[]): boolean;
  read(): readonly DeviceEvent[];
  clear(): void;
  /** Slow work for idle times. True while there is more. */
  allocate(): boolean;
}

export const disabledEventReserve: EventReserve = {
  append: () => false,
  read: () => [],
  clear: () => undefined,
  allocate: () => false,
};
