import type { Services } from '../../services.ts';
import type { DeviceActions } from '../device-actions.ts';
import type { Downlink } from '../downlink/downlink.ts';
import type { GatewayRoutes } from '../gateway-routes.ts';
import type { TechnicianLine } from '../remote-technician/technician-line.ts';
import type { Rollouts } from '../rollouts.ts';
import type { Sessions } from '../sessions.ts';
import type { DeviceSync } from '../slice/device-sync.ts';
import type { DeviceTransport } from '../transport/device-transport.ts';
import type { HelloNotes } from './hello-notes.ts';

/** What the messages of controllers are handled with. */
export interface UplinkDesk {
  readonly services: Services;
  readonly transport: DeviceTransport;
  readonly sessions: Sessions;
  readonly downlink: Downlink;
  readonly hellos: HelloNotes;
  readonly sync: DeviceSync;
  readonly actions: DeviceActions;
  readonly technicians: TechnicianLine;
  readonly gateways: GatewayRoutes;
  readonly rollouts: Rollouts;
  /** Slices take their time: they have a lane of their own for each controller. */
  readonly inSyncLane: (deviceId: string, work: () => Promise<void>) => void;
}
