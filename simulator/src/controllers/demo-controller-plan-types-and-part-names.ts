export interface DemoDoorPlan {
  readonly key: string;
  readonly name: string;
  readonly site: string;
  readonly gadgetId: string;
  /** Input code to type before a PIN or a card. */
  readonly code: string;
  readonly lines: { readonly strike: string; readonly contact: string; readonly exit: string };
}

export interface DemoControllerPlan {
  readonly key: string;
  readonly name: string;
  readonly deviceId: string;
  readonly upstream: 'bridge' | 'gateway';
  readonly profileFile: string;
  readonly dataDir: string;
  readonly logFile: string;
  readonly doors: readonly DemoDoorPlan[];
}

/** GPIO line names that both demo profiles share. */
export const demoProfilePartNames = {
  station: 'main',
  green: 'green_led',
  red: 'red_led',
  buzzer: 'buzzer',
  housing: 'housing',
  mains: 'mains',
  battery: 'battery',
  charging: 'charging',
} as const;
