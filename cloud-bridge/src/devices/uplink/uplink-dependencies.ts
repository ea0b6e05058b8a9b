import type { RateLimiter } from '../../http/rate-limit.ts';
import type { RetryDuringOutage } from '../../storage/outage-retry.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { MqttActionExecutor } from '../mqtt-action-executor.ts';
import type { DownlinkSender } from '../downlink/downlink-sender.ts';
import type { RevocationPublisher } from '../downlink/revocation-publisher.ts';
import type { GatewayDeviceRegistry } from '../gateway-device-registry.ts';
import type { TechnicianRequestForwarder } from '../remote-technician/technician-request-forwarder.ts';
import type { RolloutCoordinator } from '../rollout-coordinator.ts';
import type { DeviceSessionRegistry } from '../device-session-registry.ts';
import type { DeviceSnapshotSync } from '../access-snapshot/device-snapshot-sync.ts';
import type { DeviceTransport } from '../transport/device-transport-interface.ts';
import type { DeviceEventRates } from './events/event-rates.ts';
import type { HelloRecorder } from './hello-recorder.ts';

/** The objects that the handlers of uplink messages use. */
export interface UplinkDependencies {
  readonly services: BridgeServices;
  readonly transport: DeviceTransport;
  readonly sessions: DeviceSessionRegistry;
  readonly downlink: DownlinkSender;
  readonly revocations: RevocationPublisher;
  readonly hellos: HelloRecorder;
  readonly sync: DeviceSnapshotSync;
  readonly actions: MqttActionExecutor;
  readonly technicians: TechnicianRequestForwarder;
  readonly gateways: GatewayDeviceRegistry;
  readonly rollouts: RolloutCoordinator;
  /** Sends snapshots in a separate queue for each controller, so that they do not delay other messages. */
  readonly enqueueSync: (deviceId: string, task: () => Promise<void>) => void;
  /** Limits how often a controller can raise the counters of its organization, and be reported for it. */
  readonly counterRaises: RateLimiter;
  readonly raiseIncidents: RateLimiter;
  readonly eventRates: DeviceEventRates;
  /** Repeats work while the database is away. */
  readonly retry: RetryDuringOutage;
}
