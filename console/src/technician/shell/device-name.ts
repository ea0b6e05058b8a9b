import { Store } from '../api/store.ts';

/** The name of the device at the bridge; null until it is known. */
export const deviceName = new Store<string | null>(null);
