import { Bonjour } from 'bonjour-service';
import type { Log } from '@lintel/service/log';
import { GATEWAY_SERVICE } from '@lintel/device-link/discovery/gateway-discovery';

export interface Announced {
  readonly deviceId: string;
  readonly organizationId: string;
  readonly port: number;
  readonly tunnelPort: number | null;
}

const STOP_MS = 500;

/** Tells the controllers of the site by mDNS where the gateway is. Whom they trust is a matter of certificates. */
export class Announcement {
  readonly #bonjour: Bonjour;

  constructor({ deviceId, organizationId, port, tunnelPort }: Announced, log: Log) {
    const onError = (error: unknown): void => {
      log('warn', 'the gateway cannot be announced by mDNS', { why: (error as Error).message });
    };
    this.#bonjour = new Bonjour({}, onError);
    const txt = {
      v: '1',
      device: deviceId,
      organization: organizationId,
      ...(tunnelPort === null ? {} : { tunnel: String(tunnelPort) }),
    };
    this.#bonjour.publish({ name: `lintel-${deviceId}`, type: GATEWAY_SERVICE, port, txt }).on('error', onError);
  }

  async stop(): Promise<void> {
    await new Promise<void>(resolve => {
      const late = setTimeout(resolve, STOP_MS);
      this.#bonjour.unpublishAll(() => {
        clearTimeout(late);
        resolve();
      });
    });
    this.#bonjour.destroy();
  }
}
