import type { LinesSwitched } from '@lintel/wire-protocol/simulator/requests';
import type { LineState, LineSwitch } from '@lintel/wire-protocol/simulator/switches';
import { FaultLine } from './fault-line.ts';
import { passingEvents } from './passing-events.ts';

export type LineKey = 'front-bridge' | 'gateway-bridge' | 'corridor-gateway';

const described: Readonly<
  Record<LineKey, { readonly from: string; readonly to: string; readonly switch: LineSwitch }>
> = {
  'front-bridge': { from: 'Front door', to: 'Bridge', switch: 'internet' },
  'gateway-bridge': { from: 'Gateway', to: 'Bridge', switch: 'internet' },
  'corridor-gateway': { from: 'First floor', to: 'Gateway', switch: 'gateway_link' },
};

export interface DemoLinesParts {
  readonly changed: (line: LineState) => void;
  /** Events have reached the gateway. */
  readonly passed: (eventIds: readonly string[]) => void;
}

/** The lines between the parts of the demonstration, with a switch on each. */
export class DemoLines {
  readonly #lines: ReadonlyMap<LineKey, FaultLine>;

  private constructor(lines: ReadonlyMap<LineKey, FaultLine>) {
    this.#lines = lines;
  }

  static async open({ changed, passed }: DemoLinesParts): Promise<DemoLines> {
    const lines = new Map<LineKey, FaultLine>();
    const all = new DemoLines(lines);
    for (const key of Object.keys(described) as LineKey[]) {
      const watch = key === 'corridor-gateway' ? { watch: () => passingEvents(passed) } : {};
      lines.set(key, await FaultLine.open({ ...watch, onChange: () => changed(all.#state(key)) }));
    }
    return all;
  }

  url(key: LineKey): string {
    return this.#lines.get(key)!.url;
  }

  /** The part at the far end listens now. */
  lead(key: LineKey, port: number): void {
    this.#lines.get(key)!.target = port;
  }

  #state(key: LineKey): LineState {
    const { mode, connections } = this.#lines.get(key)!;
    return { key, ...described[key], mode, connections };
  }

  states(): LineState[] {
    return [...this.#lines.keys()].map(key => this.#state(key));
  }

  /** False when there is no such line. */
  switchTo(order: LinesSwitched): boolean {
    const meant = [...this.#lines].filter(([key]) =>
      'line' in order ? key === order.line : described[key].switch === order.switch,
    );
    for (const [, line] of meant) line.switchTo(order.mode);
    return meant.length > 0;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lines.values()].map(line => line.close()));
  }
}
