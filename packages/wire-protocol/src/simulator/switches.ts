/** What a line between two parts does to what goes over it. */
export const lineModes = [
  'up',
  /** Everything arrives, late. */
  'slow',
  /** The connections stay and nothing comes through: what a dead router looks like from both ends. */
  'half_open',
  /** Connections end, new ones are refused. */
  'cut',
] as const;
export type LineMode = (typeof lineModes)[number];

/** `internet` is every line that leaves the building, `gateway_link` the one between the corridor and its gateway. */
export const lineSwitches = ['internet', 'gateway_link'] as const;
export type LineSwitch = (typeof lineSwitches)[number];

export interface LineState {
  readonly key: string;
  /** Who is at its two ends, in words. */
  readonly from: string;
  readonly to: string;
  readonly switch: LineSwitch;
  readonly mode: LineMode;
  /** Connections that are open now. */
  readonly connections: number;
}
