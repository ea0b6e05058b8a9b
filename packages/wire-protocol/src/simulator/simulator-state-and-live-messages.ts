import type { SimulatedControllerState, SimulatedGatewayState } from './controller-and-gateway-state.ts';
import type { SimulatedDoorState } from './door-state.ts';
import type { SimulatorActivityEntry } from './activity-entry.ts';
import type { ScenarioRun, ScenarioSummary } from './scenario-run.ts';
import type { SimulatedLinkState } from './network-links.ts';
import type { SimulatorVirtualDeviceView } from './virtual-device.ts';

/** A demo person with credentials. The people are made up, so their secrets are shown. */
export interface DemoPerson {
  readonly key: string;
  readonly name: string;
  /** "Room 101, until 17 November" */
  readonly about: string;
  readonly pin: string | null;
  readonly card: string | null;
  /** Carries a phone with a member token. */
  readonly has_phone: boolean;
  /** Keys of the doors that they can open, if the schedule allows. */
  readonly doors: readonly string[];
}

export interface SimulatorNamedUrl {
  readonly name: string;
  readonly url: string;
}

/** The whole state, for a page that has just connected. */
export interface SimulatorState {
  readonly hotel: string;
  readonly sites: readonly { readonly key: string; readonly name: string; readonly timezone: string }[];
  readonly addresses: readonly SimulatorNamedUrl[];
  readonly logins: readonly { readonly name: string; readonly user: string; readonly secret: string }[];
  readonly people: readonly DemoPerson[];
  /** Opens the guest page without a login, for the person with this key. */
  readonly guest_link: { readonly person: string; readonly url: string } | null;
  readonly controllers: readonly SimulatedControllerState[];
  readonly gateway: SimulatedGatewayState;
  readonly doors: readonly SimulatedDoorState[];
  readonly virtual_devices: readonly SimulatorVirtualDeviceView[];
  readonly lines: readonly SimulatedLinkState[];
  /** Newest first, at most 200. */
  readonly activity: readonly SimulatorActivityEntry[];
  readonly scenarios: readonly ScenarioSummary[];
  readonly runs: readonly ScenarioRun[];
}

/**
 * `GET /api/live`: server-sent events with these messages as data. The first is `world`; each later message adds an
 * object or replaces the one with the same key or id. After a reconnect the page gets `world` again.
 */
export type SimulatorLiveMessage =
  | { readonly type: 'world'; readonly world: SimulatorState }
  | { readonly type: 'controller'; readonly controller: SimulatedControllerState }
  | { readonly type: 'gateway'; readonly gateway: SimulatedGatewayState }
  | { readonly type: 'door'; readonly door: SimulatedDoorState }
  | { readonly type: 'virtual_device'; readonly virtual_device: SimulatorVirtualDeviceView }
  | { readonly type: 'line'; readonly line: SimulatedLinkState }
  | { readonly type: 'activity'; readonly entry: SimulatorActivityEntry }
  | { readonly type: 'run'; readonly run: ScenarioRun };
