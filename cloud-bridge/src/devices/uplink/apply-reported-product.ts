import type { HelloMqttMessage } from '@lintel/wire-protocol/mqtt/messages/hello';
import { ApiError } from '../../http/api-error.ts';
import { setDeviceProduct } from '../../resources/devices.ts';
import type { UplinkDependencies } from './uplink-dependencies.ts';

/** A technician has chosen another hardware profile at the controller, or other hardware replaces it. Returns why it was
 * refused. */
export const applyReportedProduct = async (
  { services }: UplinkDependencies,
  { deviceId, organizationId }: { readonly deviceId: string; readonly organizationId: string },
  { product_id, product, serial }: Pick<HelloMqttMessage, 'product_id' | 'product' | 'serial'>,
): Promise<string | null> => {
  if (product == null) return null;
  const known = await services.deviceRows.certificates.load(serial);
  if (known === undefined || known.product_id === product_id) return null;
  try {
    await services.writer.write(organizationId, { device_id: deviceId }, context =>
      setDeviceProduct(context, deviceId, { product_id, ...product }),
    );
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `the product ${product_id} cannot be used: ${error.message}`;
  }
};
