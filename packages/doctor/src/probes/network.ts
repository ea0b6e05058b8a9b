import type { HostSystem } from '../host-system.ts';

export interface NetworkProbeResult {
  readonly addresses: readonly string[];
  readonly hasRoute: boolean;
  readonly nameServers: readonly string[];
  /** The bridge and why it cannot be reached; null when the controller is not claimed. */
  readonly bridge: { readonly url: string; readonly problem: string | null } | null;
}

const hasDefaultRoute = (machine: HostSystem): boolean => {
  const routes = (machine.read('/proc/net/route') ?? '').split('\n').slice(1);
  const routes6 = (machine.read('/proc/net/ipv6_route') ?? '').split('\n');
  return (
    routes.some(line => line.split(/\s+/)[1] === '00000000') ||
    routes6.some(line => /^0{32} 00 /.test(line) && !/\blo$/.test(line))
  );
};

const nameServersOf = (machine: HostSystem): readonly string[] =>
  [...(machine.read('/etc/resolv.conf') ?? '').matchAll(/^nameserver\s+(\S+)/gm)].map(([, server]) => server ?? '');

const connectionProblem = async (machine: HostSystem, url: string): Promise<string | null> => {
  if (!URL.canParse(url)) return 'its URL is invalid';
  const { hostname, port, protocol } = new URL(url);
  return machine.reach(
    hostname.replace(/^\[|\]$/g, ''),
    port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
  );
};

export const probeNetwork = async (machine: HostSystem, bridgeUrl: string | null): Promise<NetworkProbeResult> => ({
  addresses: machine.addresses(),
  hasRoute: hasDefaultRoute(machine),
  nameServers: nameServersOf(machine),
  bridge: bridgeUrl === null ? null : { url: bridgeUrl, problem: await connectionProblem(machine, bridgeUrl) },
});
