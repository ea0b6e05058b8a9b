import type { LinesSwitched } from '@lintel/wire-protocol/simulator/requests';
import type { LineState, LineSwitch } from '@lintel/wire-protocol/simulator/switches';
import { FaultyLink } from './faulty-link.ts';
import { passingEvents } from './passing-events.ts';

export type LinkKey = 'front-bridge' | 'gateway-bridge' | 'corridor-gateway';

const described: Readonly<
  Record<LinkKey, { readonly from: string; readonly to: string; readonly switch: LineSwitch }>
> = {
  'front-bridge': { from: 'Front door', to: 'Bridge', switch: 'internet' },
  'gateway-bridge': { from: 'Gateway', to: 'Bridge', switch: 'internet' },
  'corridor-gateway': { from: 'First floor', to: 'Gateway', switch: 'gateway_link' },
};

export interface DemoLinksParts {
  readonly changed: (line: LineState) => void;
  /** Events have reached the gateway. */
  readonly passed: (eventIds: readonly string[]) => void;
}

/** The network links between the parts of the demo, each with a switch. */
export class DemoLinks {
  readonly #links: ReadonlyMap<LinkKey, FaultyLink>;

  private constructor(links: ReadonlyMap<LinkKey, FaultyLink>) {
    this.#links = links;
  }

  static async open({ changed, passed }: DemoLinksParts): Promise<DemoLinks> {
    const links = new Map<LinkKey, FaultyLink>();
    const all = new DemoLinks(links);
    for (const key of Object.keys(described) as LinkKey[]) {
      const watch = key === 'corridor-gateway' ? { watch: () => passingEvents(passed) } : {};
      links.set(key, await FaultyLink.open({ ...watch, onChange: () => changed(all.#state(key)) }));
    }
    return all;
  }

  url(key: LinkKey): string {
    return this.#links.get(key)!.url;
  }

  /** The part at the far end listens now. */
  setTarget(key: LinkKey, port: number): void {
    this.#links.get(key)!.target = port;
  }

  #state(key: LinkKey): LineState {
    const { mode, connections } = this.#links.get(key)!;
    return { key, ...described[key], mode, connections };
  }

  states(): LineState[] {
    return [...this.#links.keys()].map(key => this.#state(key));
  }

  /** False when there is no such link. */
  switchTo(order: LinesSwitched): boolean {
    const meant = [...this.#links].filter(([key]) =>
      'line' in order ? key === order.line : described[key].switch === order.switch,
    );
    for (const [, link] of meant) link.switchTo(order.mode);
    return meant.length > 0;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#links.values()].map(link => link.close()));
  }
}
