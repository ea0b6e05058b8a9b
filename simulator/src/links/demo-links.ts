import type { SimulatorSetLinkModesRequest } from '@lintel/wire-protocol/simulator/simulator-api-requests';
import type { SimulatedLinkState, SimulatedLinkGroup } from '@lintel/wire-protocol/simulator/network-links';
import { FaultProxy } from './fault-proxy.ts';
import { createEventIdWatcher } from './event-id-watcher.ts';

export type DemoLinkKey = 'front-bridge' | 'gateway-bridge' | 'corridor-gateway';

const descriptions: Readonly<
  Record<DemoLinkKey, { readonly from: string; readonly to: string; readonly switch: SimulatedLinkGroup }>
> = {
  'front-bridge': { from: 'Front door', to: 'Bridge', switch: 'internet' },
  'gateway-bridge': { from: 'Gateway', to: 'Bridge', switch: 'internet' },
  'corridor-gateway': { from: 'First floor', to: 'Gateway', switch: 'gateway_link' },
};

export interface DemoLinksOptions {
  readonly onChange: (line: SimulatedLinkState) => void;
  /** Events have reached the gateway. */
  readonly onEventIds: (eventIds: readonly string[]) => void;
}

/** The network links of the demo. Each one can be cut, slowed down or left half open. */
export class DemoLinks {
  readonly #links: ReadonlyMap<DemoLinkKey, FaultProxy>;

  private constructor(links: ReadonlyMap<DemoLinkKey, FaultProxy>) {
    this.#links = links;
  }

  static async open({ onChange, onEventIds }: DemoLinksOptions): Promise<DemoLinks> {
    const links = new Map<DemoLinkKey, FaultProxy>();
    const all = new DemoLinks(links);
    for (const key of Object.keys(descriptions) as DemoLinkKey[]) {
      const watch = key === 'corridor-gateway' ? { watch: () => createEventIdWatcher(onEventIds) } : {};
      links.set(key, await FaultProxy.open({ ...watch, onChange: () => onChange(all.#state(key)) }));
    }
    return all;
  }

  url(key: DemoLinkKey): string {
    return this.#links.get(key)!.url;
  }

  /** Sets the port that the link connects to. */
  setTarget(key: DemoLinkKey, port: number): void {
    this.#links.get(key)!.target = port;
  }

  #state(key: DemoLinkKey): SimulatedLinkState {
    const { mode, connections } = this.#links.get(key)!;
    return { key, ...descriptions[key], mode, connections };
  }

  states(): SimulatedLinkState[] {
    return [...this.#links.keys()].map(key => this.#state(key));
  }

  /** Returns false for an unknown link. */
  switchTo(order: SimulatorSetLinkModesRequest): boolean {
    const affected = [...this.#links].filter(([key]) =>
      'line' in order ? key === order.line : descriptions[key].switch === order.switch,
    );
    for (const [, link] of affected) link.switchTo(order.mode);
    return affected.length > 0;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#links.values()].map(link => link.close()));
  }
}
