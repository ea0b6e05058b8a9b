import { isIPv4, isIPv6 } from 'node:net';
import { Bonjour, type Browser, type Service } from 'bonjour-service';
import type { Log } from '@lintel/service/log-function-type';

/** As `_lintel-gateway._tcp` in mDNS. */
export const GATEWAY_MDNS_SERVICE = 'lintel-gateway';

export interface DiscoveredGateway {
  readonly deviceId: string;
  readonly organizationId: string;
  /** URLs of its broker, for each address. */
  readonly urls: readonly string[];
  /** URLs of its HTTP proxy to the bridge. */
  readonly proxies: readonly string[];
}

type GatewayAnnouncement = Pick<Service, 'port'> & {
  readonly addresses?: readonly string[] | undefined;
  readonly txt?: unknown;
};

const VERSION = '1';

const hostsOf = (addresses: readonly string[]): string[] => [
  ...addresses.filter(address => isIPv4(address)),
  // Link-local addresses are unusable without an interface.
  ...addresses.filter(address => isIPv6(address) && !/^fe80:/i.test(address)).map(address => `[${address}]`),
];

/** Null for an invalid announcement. */
export const parseGatewayAnnouncement = ({
  port,
  addresses = [],
  txt,
}: GatewayAnnouncement): DiscoveredGateway | null => {
  const { v, device, organization, tunnel } = (txt ?? {}) as Readonly<Record<string, unknown>>;
  if (v !== VERSION || typeof device !== 'string' || typeof organization !== 'string') return null;
  const hosts = hostsOf(addresses);
  const tunnelPort = typeof tunnel === 'string' && /^\d{1,5}$/.test(tunnel) ? Number(tunnel) : null;
  return {
    deviceId: device,
    organizationId: organization,
    urls: hosts.map(host => `mqtts://${host}:${port}`),
    proxies: tunnelPort === null ? [] : hosts.map(host => `http://${host}:${tunnelPort}`),
  };
};

/**
 * Finds gateways on the local network by mDNS. Announcements are not trusted: the certificate shows whether it is a
 * gateway of the organization.
 */
export class GatewayDiscovery {
  readonly #log: Log;
  #bonjour: Bonjour | null = null;
  #browser: Browser | null = null;
  #onChange: () => void = () => undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Called when gateways appear, disappear or change. */
  onChange(handler: () => void): void {
    this.#onChange = handler;
  }

  start(): void {
    if (this.#bonjour !== null) return;
    this.#bonjour = new Bonjour({}, (error: unknown) => {
      this.#log('warn', 'mDNS discovery of gateways failed', { why: (error as Error).message });
    });
    this.#browser = this.#bonjour.find({ type: GATEWAY_MDNS_SERVICE });
    for (const event of ['up', 'down', 'txt-update', 'srv-update'] as const) {
      this.#browser.on(event, () => this.#onChange());
    }
  }

  /** Queries again; results arrive by `onChange`. */
  refresh(): void {
    this.#browser?.update();
  }

  gateways(): DiscoveredGateway[] {
    return (this.#browser?.services ?? []).flatMap(service => parseGatewayAnnouncement(service) ?? []);
  }

  /** Broker URLs of gateways of the organization. */
  urls(organizationId: string): string[] {
    return this.gateways()
      .filter(gateway => gateway.organizationId === organizationId)
      .flatMap(({ urls }) => urls);
  }

  /** Proxy URLs of gateways of the organization, or of all gateways for an unclaimed device. */
  proxies(organizationId: string | null): string[] {
    return this.gateways()
      .filter(gateway => organizationId === null || gateway.organizationId === organizationId)
      .flatMap(({ proxies }) => proxies);
  }

  stop(): void {
    this.#browser?.stop();
    this.#bonjour?.destroy();
    this.#browser = null;
    this.#bonjour = null;
  }
}
