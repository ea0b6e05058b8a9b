import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import type {
  SimulatorVirtualDeviceView,
  SimulatorVirtualGadgetView,
} from '@lintel/wire-protocol/simulator/virtual-device';
import { type DemoBridgeClient, BridgeHttpStatusError } from './demo-bridge-client.ts';

export interface DemoVirtualDevicePlan {
  readonly key: string;
  readonly name: string;
  readonly site: string;
  readonly deviceId: string;
}

interface VirtualDevicesOptions {
  readonly bridge: Pick<DemoBridgeClient, 'api' | 'admin'>;
  readonly plans: readonly DemoVirtualDevicePlan[];
  readonly onChange: (device: SimulatorVirtualDeviceView) => void;
}

const toGadgetState = ({
  id,
  name,
  states,
  state_id,
  actions,
  signals,
}: GadgetResponse): SimulatorVirtualGadgetView => {
  const state = states.find(candidate => candidate.id === state_id);
  return {
    gadget_id: id,
    name,
    state: state === undefined ? null : { id: state.id, name: state.name },
    actions: actions.map(action => ({ id: action.id, name: action.name })),
    signals: signals.map(signal => ({ id: signal.id, name: signal.name })),
  };
};

/** The devices of the product `virtual`, with the states that the bridge has recorded. */
export class SimulatorVirtualDevices {
  readonly #options: VirtualDevicesOptions;
  readonly #states = new Map<string, SimulatorVirtualDeviceView>();

  constructor(options: VirtualDevicesOptions) {
    this.#options = options;
  }

  async load(): Promise<void> {
    for (const plan of this.#options.plans) await this.#refresh(plan);
  }

  list(): readonly SimulatorVirtualDeviceView[] {
    return this.#options.plans.flatMap(({ key }) => this.#states.get(key) ?? []);
  }

  has(key: string, gadgetId: string): boolean {
    return this.#states.get(key)?.gadgets.some(({ gadget_id }) => gadget_id === gadgetId) ?? false;
  }

  async #refresh({ key, name, site, deviceId }: DemoVirtualDevicePlan): Promise<void> {
    const path = `/gadgets?device_id=${deviceId}&sort=created_at:asc`;
    const { data } = await this.#options.bridge.api<{ readonly data: readonly GadgetResponse[] }>('GET', path);
    const state: SimulatorVirtualDeviceView = { key, name, site, gadgets: data.map(toGadgetState) };
    if (JSON.stringify(state) === JSON.stringify(this.#states.get(key))) return;
    this.#states.set(key, state);
    this.#options.onChange(state);
  }

  /** Reads the states again after an event of a virtual device. The next event repeats a read that fails. */
  committed({ object }: Pick<EventResponse, 'object'>): void {
    const plan = this.#options.plans.find(({ deviceId }) => deviceId === object.device_id);
    if (plan !== undefined) void this.#refresh(plan).catch(() => undefined);
  }

  /** Returns null on success, otherwise the reason for the failure. */
  async #send(request: Promise<unknown>): Promise<string | null> {
    try {
      await request;
      return null;
    } catch (error) {
      if (error instanceof BridgeHttpStatusError) return `The bridge has rejected the request: ${error.message}`;
      throw error;
    }
  }

  perform(gadgetId: string, actionId: string): Promise<string | null> {
    return this.#send(this.#options.bridge.api('POST', `/gadgets/${gadgetId}/actions/${actionId}`, {}));
  }

  sendSignal(gadgetId: string, signalId: string): Promise<string | null> {
    return this.#send(this.#options.bridge.admin('POST', `/gadgets/${gadgetId}/signals/${signalId}`, {}));
  }
}
