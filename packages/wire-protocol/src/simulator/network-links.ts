/** What a simulated link does with its traffic. */
export const simulatedLinkModes = [
  'up',
  /** Delays all traffic. */
  'slow',
  /** Keeps connections open but passes nothing, like a dead router. */
  'half_open',
  /** Closes connections and refuses new ones. */
  'cut',
] as const;
export type SimulatedLinkMode = (typeof simulatedLinkModes)[number];

/** `internet`: all links that leave the building; `gateway_link`: the links between controllers and their gateway. */
export const simulatedLinkGroups = ['internet', 'gateway_link'] as const;
export type SimulatedLinkGroup = (typeof simulatedLinkGroups)[number];

export interface SimulatedLinkState {
  readonly key: string;
  /** Names of its two ends. */
  readonly from: string;
  readonly to: string;
  readonly switch: SimulatedLinkGroup;
  readonly mode: SimulatedLinkMode;
  /** Number of open connections. */
  readonly connections: number;
}
