/** What a simulated link does with its traffic. */
export const networkLinkModes = [
  'up',
  /** Delays all traffic. */
  'slow',
  /** Keeps connections open but passes nothing, like a dead router. */
  'half_open',
  /** Closes connections and refuses new ones. */
  'cut',
] as const;
export type NetworkLinkMode = (typeof networkLinkModes)[number];

/** `internet`: all links that leave the building; `gateway_link`: the links between controllers and their gateway. */
export const networkLinkGroups = ['internet', 'gateway_link'] as const;
export type NetworkLinkGroup = (typeof networkLinkGroups)[number];

export interface NetworkLinkState {
  readonly key: string;
  /** Names of its two ends. */
  readonly from: string;
  readonly to: string;
  readonly switch: NetworkLinkGroup;
  readonly mode: NetworkLinkMode;
  /** Number of open connections. */
  readonly connections: number;
}
