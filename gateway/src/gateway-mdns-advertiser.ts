import { Bonjour } from 'bonjour-service';
import type { Log } from '@lintel/service/log-function-type';
import { GATEWAY_MDNS_SERVICE } from '@lintel/device-link/discovery/gateway-discovery';

export interface GatewayAdvertisement {
  readonly deviceId: string;
  readonly organizationId: string;
  readonly port: number;
  readonly tunnelPort: number | null;
}

const STOP_MS = 500;

/** Advertises the gateway to the controllers of the site by mDNS. Trust depends on certificates alone. */
export class GatewayMdnsAdvertiser {
  readonly #bonjour: Bonjour;

  constructor({ deviceId, organizationId, port, tunnelPort }: GatewayAdvertisement, log: Log) {
    const onError = (error: unknown): void => {
      log('warn', 'mDNS advertisement failed. Enter the gateway address in the settings of each controller', {
        why: (error as Error).message,
      });
    };
    this.#bonjour = new Bonjour({}, onError);
    const txt = {
      v: '1',
      device: deviceId,
      organization: organizationId,
      ...(tunnelPort === null ? {} : { tunnel: String(tunnelPort) }),
    };
    this.#bonjour.publish({ name: `lintel-${deviceId}`, type: GATEWAY_MDNS_SERVICE, port, txt }).on('error', onError);
  }

  async stop(): Promise<void> {
    await new Promise<void>(resolve => {
      const timeout = setTimeout(resolve, STOP_MS);
      this.#bonjour.unpublishAll(() => {
        clearTimeout(timeout);
        resolve();
      });
    });
    this.#bonjour.destroy();
  }
}
