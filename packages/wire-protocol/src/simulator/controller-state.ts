/** What has been typed at a station has come to this. */
export interface EntryState {
  readonly phase: 'idle' | 'code' | 'armed';
  /** The door that the armed rule leads to. */
  readonly door: string | null;
}

/** A keypad and a reader with their lights, where people identify themselves. */
export interface StationState {
  readonly id: string;
  readonly green: boolean;
  readonly red: boolean;
  readonly buzzer: boolean;
  readonly entry: EntryState;
  /** When the lockout after too many wrong entries ends; null without one. */
  readonly locked_until: string | null;
}

export interface ControllerState {
  readonly key: string;
  readonly name: string;
  readonly device_id: string;
  /** What its line leads to. */
  readonly upstream: 'bridge' | 'gateway';
  /** `off`: its process is dead. `starting`: it is alive and does not serve yet. */
  readonly power: 'on' | 'starting' | 'off';
  /** To its broker: the bridge or the gateway. */
  readonly is_connected: boolean;
  /** The bridge itself is to be reached. */
  readonly is_online: boolean;
  readonly waiting_events: number;
  /** The revision of the rules and credentials that it serves. */
  readonly revision: number | null;
  readonly clock: {
    /** What the controller believes, when this was told. */
    readonly time: string;
    readonly trusted: boolean;
    readonly source: string;
    /** How far the clock of its machine has been stepped away from the right time. */
    readonly stepped_ms: number;
  } | null;
  readonly supply: { readonly mains: boolean; readonly battery: boolean; readonly charging: boolean };
  readonly is_disk_full: boolean;
  readonly is_housing_open: boolean;
  readonly faults: readonly { readonly code: string; readonly message: string }[];
  readonly stations: readonly StationState[];
  /** The technician's page of this controller. */
  readonly technician: string | null;
}

export interface GatewayState {
  readonly name: string;
  readonly device_id: string;
  /** Where its status page is. */
  readonly page: string | null;
  readonly is_connected: boolean;
  /** Events that wait here for the bridge. */
  readonly waiting_events: number;
  readonly controllers: readonly { readonly key: string; readonly is_connected: boolean }[];
}
