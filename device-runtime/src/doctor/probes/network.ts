import type { Machine } from '../machine.ts';

export interface FoundNetwork {
  readonly addresses: readonly string[];
  readonly hasRoute: boolean;
  readonly nameServers: readonly string[];
  /** The bridge of a claimed controller, and why it cannot be reached; null when nobody has claimed it. */
  readonly bridge: { readonly url: string; readonly trouble: string | null } | null;
}

const hasDefaultRoute = (machine: Machine): boolean => {
  const routes = (machine.read('/proc/net/route') ?? '').split('\n').slice(1);
  const routes6 = (machine.read('/proc/net/ipv6_route') ?? '').split('\n');
  return (
    routes.some(line => line.split(/\s+/)[1] === '00000000') ||
    routes6.some(line => /^0{32} 00 /.test(line) && !/\blo$/.test(line))
  );
};

const nameServersOf = (machine: Machine): readonly string[] =>
  [...(machine.read('/etc/resolv.conf') ?? '').matchAll(/^nameserver\s+(\S+)/gm)].map(([, server]) => server ?? '');

const troubleWith = async (machine: Machine, url: string): Promise<string | null> => {
  if (!URL.canParse(url)) return 'its address is no address';
  const { hostname, port, protocol } = new URL(url);
  return machine.reach(
    hostname.replace(/^\[|\]$/g, ''),
    port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
  );
};

export const findNetwork = async (machine: Machine, bridgeUrl: string | null): Promise<FoundNetwork> => ({
  addresses: machine.addresses(),
  hasRoute: hasDefaultRoute(machine),
  nameServers: nameServersOf(machine),
  bridge: bridgeUrl === null ? null : { url: bridgeUrl, trouble: await troubleWith(machine, bridgeUrl) },
});
