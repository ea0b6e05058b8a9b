import type { Fault } from '@lintel/service/faults/fault-registry';

export interface GatewayControllerStatus {
  readonly device_id: string;
  readonly name: string;
  readonly connected: boolean;
  /** Since the start. Other controllers may be connected to the bridge directly. */
  readonly was_connected: boolean;
  /** Time of the connection, null while it is disconnected. */
  readonly since: string | null;
}

/** Fixed from the start, also before the claim. */
export interface GatewayAddresses {
  /** For the devices of the site. */
  readonly mqtts: string;
  readonly mqtt?: string;
  readonly tunnel?: string;
  readonly status: string;
}

/** What `lintel gateway status` and the status page show. Nothing in it is secret. */
export interface GatewayStatusDocument {
  readonly version: string;
  readonly claimed: boolean;
  readonly device_id: string | null;
  readonly organization_id: string | null;
  readonly site: string | null;
  readonly site_time_zone: string | null;
  readonly addresses: GatewayAddresses;
  readonly upstream: {
    readonly connected: boolean;
    readonly url: string | null;
    /** Last change of `connected`. */
    readonly since: string;
  };
  readonly clock: {
    readonly time: string;
    readonly trusted: boolean;
    readonly source: string;
  };
  /** Stored for controllers that connect while the gateway is offline. */
  readonly revocations: number;
  readonly controllers: readonly GatewayControllerStatus[];
  /** Messages since the start. `offline`: received while the bridge was not reachable; their senders repeat what is needed. */
  readonly traffic: Readonly<Record<'up' | 'down' | 'local' | 'offline' | 'dropped', number>>;
  readonly certificate_expires_at: string | null;
  readonly faults: readonly Fault[];
}
