import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { UsageError } from '@lintel/service/command-line/cli-command';

interface InterfaceAddress {
  readonly name: string;
  readonly address: string;
}

/** What --lan needs to know of this machine. */
export interface MachineNetwork {
  /** The addresses that are not loopback. */
  readonly addresses: readonly InterfaceAddress[];
  /** The interface of the default route; null if there is none or it is unknown. */
  readonly defaultInterface: string | null;
}

/** The interface of the default route with the lowest metric, from /proc/net/route. */
export const parseDefaultInterface = (table: string): string | null => {
  const routes = table
    .split('\n')
    .slice(1)
    .map(line => line.trim().split(/\s+/))
    .filter(fields => fields[1] === '00000000')
    .sort((a, b) => Number(a[6]) - Number(b[6]));
  return routes[0]?.[0] ?? null;
};

const readDefaultInterface = (): string | null => {
  try {
    return parseDefaultInterface(readFileSync('/proc/net/route', 'utf8'));
  } catch {
    // Not Linux. With one address it does not matter.
    return null;
  }
};

export const readMachineNetwork = (): MachineNetwork => ({
  addresses: Object.entries(networkInterfaces()).flatMap(([name, entries]) =>
    (entries ?? []).flatMap(({ family, internal, address }) =>
      family === 'IPv4' && !internal ? [{ name, address }] : [],
    ),
  ),
  defaultInterface: readDefaultInterface(),
});

const privateRanges = [/^10\./, /^172\.(1[6-9]|2\d|3[01])\./, /^192\.168\./];
const isPrivate = (address: string): boolean => privateRanges.some(range => range.test(address));

/** Networks inside this machine. */
const isVirtualInterface = (name: string): boolean =>
  /^(docker|br-|veth|virbr|cni|podman|lxc|lxd|vmnet|vboxnet|tun|tap|wg|tailscale|zt)/.test(name);

const chooseAddress = ({ addresses, defaultInterface }: MachineNetwork): string => {
  const candidates = addresses.filter(({ name, address }) => isPrivate(address) && !isVirtualInterface(name));
  const ofDefaultRoute = candidates.filter(({ name }) => name === defaultInterface);
  const [only, ...others] = ofDefaultRoute.length > 0 ? ofDefaultRoute : candidates;
  const list = (found: readonly InterfaceAddress[]): string =>
    found.map(({ name, address }) => `${address} (${name})`).join(', ');
  if (only === undefined) {
    const known = addresses.length === 0 ? 'it has none' : `it has ${list(addresses)}`;
    throw new UsageError(
      `--lan found no address of this machine in a private network: ${known}. Choose one with --host ADDR`,
    );
  }
  if (others.length > 0)
    throw new UsageError(
      `--lan: this machine has several addresses: ${list([only, ...others])}. Choose one with --host ADDR`,
    );
  return only.address;
};

interface LanOptions {
  readonly host?: string | undefined;
  readonly 'http-port'?: string | undefined;
  readonly 'mqtt-port'?: string | undefined;
  readonly 'https-port'?: string | undefined;
  readonly 'mqtts-port'?: string | undefined;
  readonly 'public-url'?: string | undefined;
}

/** The options that --lan stands for. Options that are given take precedence. */
export const chooseLanOptions = (given: LanOptions, machine: MachineNetwork): Required<LanOptions> => {
  const host = given.host ?? chooseAddress(machine);
  if (host === '0.0.0.0' || host === '::')
    throw new UsageError('--lan needs the address that other machines use: choose one with --host ADDR');
  const httpsPort = given['https-port'] ?? '8443';
  if (httpsPort === '0' && given['public-url'] === undefined)
    throw new UsageError('--lan needs a fixed --https-port, because claim tickets contain it');
  const urlHost = host.includes(':') ? `[${host}]` : host;
  return {
    host,
    'http-port': given['http-port'] ?? '8080',
    'mqtt-port': given['mqtt-port'] ?? '1883',
    'https-port': httpsPort,
    'mqtts-port': given['mqtts-port'] ?? '8883',
    'public-url': given['public-url'] ?? `https://${urlHost}:${httpsPort}`,
  };
};

interface LanBridge {
  readonly url: string;
  readonly mqttsPort: string;
  /** Of the certificate that browsers see. */
  readonly certificateFingerprint: string;
  readonly caFingerprint: string;
}

/** What to do next, for the person who started the bridge. */
export const describeLanNextSteps = ({ url, mqttsPort, certificateFingerprint, caFingerprint }: LanBridge): string => {
  const { hostname, port } = new URL(url);
  const isAddress = isIPv4(hostname) || hostname.startsWith('[');
  return [
    '',
    `Other machines in this network reach the bridge at ${url}`,
    '',
    `1. Open ${url} in a browser. It warns, because the bridge signs its own certificate. Compare the fingerprint:`,
    `   ${certificateFingerprint}`,
    '2. In the console, Doors, then Add a controller shows a claim code with this address.',
    '3. To prepare a memory card for a controller, run this on a machine with a card reader:',
    '   npx lintel image prepare --web',
    `   It asks for the address of the bridge, ${url}, the claim code, and the fingerprint of the authority:`,
    `   ${caFingerprint}`,
    '',
    `A firewall must permit TCP ports ${port === '' ? '443' : port} and ${mqttsPort} from this network.`,
    ...(isAddress ? [`Reserve the address ${hostname} for this machine in the router: controllers keep it.`] : []),
    '',
    '',
  ].join('\n');
};
