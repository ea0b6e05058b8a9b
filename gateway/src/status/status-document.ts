import type { Fault } from '@lintel/service/faults/fault-registry';
import type { QueueFigures } from '../store/frame-index.ts';

export interface ControllerStatus {
  readonly device_id: string;
  readonly name: string;
  readonly connected: boolean;
  /** When it came, or null while it is away. */
  readonly since: string | null;
  readonly waiting: QueueFigures;
}

/** Where the gateway is reached. The same from the start, also before it is claimed. */
export interface GatewayAddresses {
  /** Where the devices of the site connect. */
  readonly mqtts: string;
  readonly mqtt?: string;
  readonly tunnel?: string;
  readonly status: string;
}

/** What `lintel gateway status` and the status page show. Nothing in it is secret. */
export interface StatusDocument {
  readonly version: string;
  readonly claimed: boolean;
  readonly device_id: string | null;
  readonly organization_id: string | null;
  readonly site: string | null;
  readonly addresses: GatewayAddresses;
  readonly upstream: {
    readonly connected: boolean;
    readonly url: string | null;
    /** Since when it is as it is. */
    readonly since: string;
  };
  readonly clock: {
    readonly time: string;
    readonly trusted: boolean;
    readonly source: string;
  };
  readonly queue: QueueFigures & {
    readonly under_way: number;
    readonly oldest_at: string | null;
    readonly limit_bytes: number;
  };
  /** Kept for controllers that come back while the line is down. */
  readonly revocations: number;
  readonly controllers: readonly ControllerStatus[];
  /** Messages since the start. */
  readonly traffic: Readonly<Record<'up' | 'down' | 'local' | 'unheard' | 'left' | 'dropped', number>>;
  readonly certificate_expires_at: string | null;
  readonly faults: readonly Fault[];
}
