import { ObservableValue } from '../api/observable-value.ts';

/** The name of the device at the bridge; null until it is known. */
export const deviceNameFromBridge = new ObservableValue<string | null>(null);
