import { isIPv4, isIPv6 } from 'node:net';
import { Bonjour, type Browser, type Service } from 'bonjour-service';
import type { Log } from '@lintel/service/log';

/** As `_lintel-gateway._tcp` in mDNS. */
export const GATEWAY_SERVICE = 'lintel-gateway';

export interface FoundGateway {
  readonly deviceId: string;
  readonly organizationId: string;
  /** Of its broker, by each of its addresses. */
  readonly urls: readonly string[];
  /** Of its way to the bridge's HTTPS, for who has no other. */
  readonly proxies: readonly string[];
}

type Told = Pick<Service, 'port'> & { readonly addresses?: readonly string[] | undefined; readonly txt?: unknown };

const VERSION = '1';

const hostsOf = (addresses: readonly string[]): string[] => [
  ...addresses.filter(address => isIPv4(address)),
  // Link-local ones are of no use without the interface they belong to.
  ...addresses.filter(address => isIPv6(address) && !/^fe80:/i.test(address)).map(address => `[${address}]`),
];

/** Null for what is none of ours: everybody on the network can announce anything. */
export const readAnnouncement = ({ port, addresses = [], txt }: Told): FoundGateway | null => {
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
 * The gateways that are to be found on this network. What they say of themselves is a hint where to try: whether one is
 * a gateway of the organization its certificate tells.
 */
export class GatewayDiscovery {
  readonly #log: Log;
  #bonjour: Bonjour | null = null;
  #browser: Browser | null = null;
  #onChange: () => void = () => undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Called when a gateway has come, gone or moved. */
  onChange(handler: () => void): void {
    this.#onChange = handler;
  }

  start(): void {
    if (this.#bonjour !== null) return;
    this.#bonjour = new Bonjour({}, (error: unknown) => {
      this.#log('warn', 'gateways cannot be looked for by mDNS', { why: (error as Error).message });
    });
    this.#browser = this.#bonjour.find({ type: GATEWAY_SERVICE });
    for (const event of ['up', 'down', 'txt-update', 'srv-update'] as const) {
      this.#browser.on(event, () => this.#onChange());
    }
  }

  /** Asks again; answers come by `onChange`. */
  look(): void {
    this.#browser?.update();
  }

  found(): FoundGateway[] {
    return (this.#browser?.services ?? []).flatMap(service => readAnnouncement(service) ?? []);
  }

  /** Where a device of the organization may try to connect. */
  urls(organizationId: string): string[] {
    return this.found()
      .filter(gateway => gateway.organizationId === organizationId)
      .flatMap(({ urls }) => urls);
  }

  /** Ways to the bridge for a device without a route of its own: of its organization's gateways, or of any while unclaimed. */
  proxies(organizationId: string | null): string[] {
    return this.found()
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
