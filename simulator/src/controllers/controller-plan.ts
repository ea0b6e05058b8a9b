export interface DoorPlan {
  readonly key: string;
  readonly name: string;
  readonly site: string;
  readonly gadgetId: string;
  /** Typed before a PIN or a tap. */
  readonly code: string;
  readonly lines: { readonly strike: string; readonly contact: string; readonly exit: string };
}

export interface ControllerPlan {
  readonly key: string;
  readonly name: string;
  readonly deviceId: string;
  readonly upstream: 'bridge' | 'gateway';
  readonly profileFile: string;
  readonly dataDir: string;
  readonly logFile: string;
  readonly doors: readonly DoorPlan[];
}

/** The lines that both profiles of the demo have. */
export const boardLines = {
  station: 'main',
  green: 'green_led',
  red: 'red_led',
  buzzer: 'buzzer',
  housing: 'housing',
  mains: 'mains',
  battery: 'battery',
  charging: 'charging',
} as const;
