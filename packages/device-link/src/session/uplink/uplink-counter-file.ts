import { JsonFileStore } from '@lintel/service/data-folder/json-file-store';
import type { UplinkCounterStore } from './uplink-counter.ts';

/** `uplink_counter.json` in the folder. */
export const createUplinkCounterFileStore = (folder: string): UplinkCounterStore => {
  const file = new JsonFileStore<'uplink_counter'>(folder);
  return {
    read: () => {
      const stored = file.read('uplink_counter');
      return Number.isSafeInteger(stored) ? (stored as number) : 0;
    },
    // Without the stored number, it starts a day ahead, so that the new one is higher.
    write: reserved => file.replace('uplink_counter', reserved),
  };
};
