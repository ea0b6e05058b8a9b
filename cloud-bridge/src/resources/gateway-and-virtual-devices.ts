import { cannotBeSet } from '@lintel/access-core/problem-texts';
import { createInvalidFieldError } from '../http/api-error.ts';
import type { DeviceRow } from '../storage/schema.ts';

/** A site gateway relays the messages of its devices and serves them over TLS with its own certificate. */
export const GATEWAY_PRODUCT_ID = 'gateway';
export const isGatewayDevice = ({ product_id }: { readonly product_id: string }): boolean =>
  product_id === GATEWAY_PRODUCT_ID;

export const isVirtualDevice = ({ hardware_id }: Pick<DeviceRow, 'hardware_id'>): boolean => hardware_id === null;

/** Only the device reports states and signals of real hardware. */
export const requireVirtualDevice = (device: Pick<DeviceRow, 'hardware_id'>, field: string): void => {
  if (isVirtualDevice(device)) return;
  throw createInvalidFieldError(field, cannotBeSet);
};
