import { Store } from '../link/store.ts';

/** What the desk calls the device; null until that is known here. */
export const deviceName = new Store<string | null>(null);
