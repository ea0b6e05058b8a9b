/** Progress of the key entry at a reader unit. */
export interface SimulatedKeypadEntryState {
  readonly phase: 'idle' | 'code' | 'armed';
  /** The door of the selected rule. */
  readonly door: string | null;
}

/** A keypad and a card reader with their lights. */
export interface SimulatedReaderUnitState {
  readonly id: string;
  readonly green: boolean;
  readonly red: boolean;
  readonly buzzer: boolean;
  readonly entry: SimulatedKeypadEntryState;
  /** When the lockout ends; null without a lockout. */
  readonly locked_until: string | null;
}

export interface SimulatedControllerState {
  readonly key: string;
  readonly name: string;
  readonly device_id: string;
  /** What it connects to. */
  readonly upstream: 'bridge' | 'gateway';
  /** `off`: its process is not running. `starting`: running but not ready. */
  readonly power: 'on' | 'starting' | 'off';
  /** Connected to its broker, the bridge or the gateway. */
  readonly is_connected: boolean;
  /** The bridge is reachable. */
  readonly is_online: boolean;
  readonly waiting_events: number;
  /** The revision of its snapshot. */
  readonly revision: number | null;
  readonly clock: {
    /** The controller's time at the last report. */
    readonly time: string;
    readonly trusted: boolean;
    readonly source: string;
    /** How far its system clock was set off the correct time. */
    readonly stepped_ms: number;
  } | null;
  readonly supply: { readonly mains: boolean; readonly battery: boolean; readonly charging: boolean };
  readonly is_disk_full: boolean;
  readonly is_housing_open: boolean;
  readonly faults: readonly { readonly code: string; readonly message: string }[];
  readonly stations: readonly SimulatedReaderUnitState[];
  /** URL of its technician page. */
  readonly technician: string | null;
}

export interface SimulatedGatewayState {
  readonly name: string;
  readonly device_id: string;
  /** URL of its status page. */
  readonly page: string | null;
  readonly is_connected: boolean;
  readonly controllers: readonly { readonly key: string; readonly is_connected: boolean }[];
}
