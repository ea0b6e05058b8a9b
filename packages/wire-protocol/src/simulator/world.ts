import type { ControllerState, GatewayState } from './controller-state.ts';
import type { DoorState } from './door-state.ts';
import type { Happening } from './happening.ts';
import type { ScenarioRun, ScenarioSummary } from './scenario-run.ts';
import type { LineState } from './switches.ts';

/** Somebody of the demonstration, with what they carry. Made-up people only: their secrets are shown. */
export interface Person {
  readonly key: string;
  readonly name: string;
  /** "Room 101, until 17 November" */
  readonly about: string;
  readonly pin: string | null;
  readonly card: string | null;
  /** Carries a phone with a member token. */
  readonly has_phone: boolean;
  /** Keys of the doors that let them in, if the time is right. */
  readonly doors: readonly string[];
}

export interface Address {
  readonly name: string;
  readonly url: string;
}

/** Everything, for a page that has just come. */
export interface World {
  readonly hotel: string;
  readonly sites: readonly { readonly key: string; readonly name: string; readonly timezone: string }[];
  readonly addresses: readonly Address[];
  readonly logins: readonly { readonly name: string; readonly user: string; readonly secret: string }[];
  readonly people: readonly Person[];
  readonly controllers: readonly ControllerState[];
  readonly gateway: GatewayState;
  readonly doors: readonly DoorState[];
  readonly lines: readonly LineState[];
  /** The newest first, 200 at most. */
  readonly happenings: readonly Happening[];
  readonly scenarios: readonly ScenarioSummary[];
  readonly runs: readonly ScenarioRun[];
}

/**
 * `GET /api/live`: server-sent events, each with one of these as its data. The first is `world`; whatever comes after it
 * replaces what has the same key or id, or is new. A page that lost its connection begins again with `world`.
 */
export type LiveMessage =
  | { readonly type: 'world'; readonly world: World }
  | { readonly type: 'controller'; readonly controller: ControllerState }
  | { readonly type: 'gateway'; readonly gateway: GatewayState }
  | { readonly type: 'door'; readonly door: DoorState }
  | { readonly type: 'line'; readonly line: LineState }
  | { readonly type: 'happening'; readonly happening: Happening }
  | { readonly type: 'run'; readonly run: ScenarioRun };
