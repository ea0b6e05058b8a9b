import type { DeviceStatusMqttMessage } from '@lintel/wire-protocol/mqtt/messages/device-status';
import type { HomeAssistantControllerFeature } from './mqtt-discovery-documents.ts';

/** Null is unknown. */
type Reading = 'ON' | 'OFF' | null;

export interface HomeAssistantStatusPayload {
  readonly problem: Reading;
  readonly faults: readonly string[];
  readonly tamper: Reading;
  readonly mains: Reading;
  readonly battery: number | null;
}

const unknownStatus: HomeAssistantStatusPayload = {
  problem: null,
  faults: [],
  tamper: null,
  mains: null,
  battery: null,
};

const toReading = (value: boolean): Reading => (value ? 'ON' : 'OFF');

export const toHomeAssistantStatusPayload = ({
  faults,
  mains_present,
  battery_percent,
}: DeviceStatusMqttMessage): HomeAssistantStatusPayload => ({
  problem: toReading(faults.length > 0),
  faults: faults.map(({ code }) => code),
  tamper: toReading(faults.some(({ code }) => code === 'tamper')),
  mains: mains_present === null ? null : toReading(mains_present),
  battery: battery_percent,
});

export const findReportedHomeAssistantFeatures = ({
  tamper,
  mains,
  battery,
}: HomeAssistantStatusPayload): HomeAssistantControllerFeature[] => [
  ...(tamper === 'ON' ? (['tamper'] as const) : []),
  ...(mains === null ? [] : (['mains'] as const)),
  ...(battery === null ? [] : (['battery'] as const)),
];

interface KnownState {
  readonly state: string;
  readonly since: number;
}

/** What a controller has reported since the start of the gateway. */
export class HomeAssistantReportedControllerData {
  product: string | null = null;
  firmware: string | null = null;
  status: HomeAssistantStatusPayload = unknownStatus;
  readonly features = new Set<string>();
  readonly #states = new Map<string, KnownState>();

  stateOf(gadgetId: string): string | null {
    return this.#states.get(gadgetId)?.state ?? null;
  }

  /** A stored event may arrive later than a newer state. */
  setState(gadgetId: string, state: string, since: number): void {
    const known = this.#states.get(gadgetId);
    if (known === undefined || since >= known.since) this.#states.set(gadgetId, { state, since });
  }
}
