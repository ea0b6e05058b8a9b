import type { UpdateDesk } from '@lintel/updates/device/update-desk';
import { UpdateTalk } from '@lintel/updates/update-talk';
import type { Log } from '@lintel/service/log/log';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { PowerSupply } from '@lintel/drivers/ports/power-supply';
import type { StateStore } from '../state/state-store.ts';
import type { Upstream } from './upstream.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { Controller } from '../controller/controller.ts';
import { Abreast } from './revision-monitor.ts';
import { ActionDesk } from './action-handler.ts';
import { BridgeTime } from './bridge-time.ts';
import { DownGate } from './downlink-verifier.ts';
import { DropCount } from './drop-count.ts';
import { EventPump } from './event-uploader.ts';
import { FarTechnician } from './remote-technician/remote-technician.ts';
import { PeerDesk } from './peers/peer-request-handler.ts';
import type { PeerRequests } from './peers/peer-requests.ts';
import { RevocationNumbers } from './revocation-numbers.ts';
import { Retelling } from './retry-until-acknowledged.ts';
import { Session } from './uplink-session.ts';
import { SliceSync } from './snapshot-sync.ts';
import type { Speaker } from './uplink-publisher.ts';
import { StatusReports } from './status-reports.ts';

export interface UplinkParts {
  readonly upstream: Upstream;
  readonly controller: Controller;
  readonly speaker: Speaker;
  readonly peers: PeerRequests;
  readonly clock: MonotonicClock;
  readonly wall: WallClock;
  readonly state: StateStore;
  readonly power: PowerSupply;
  readonly log: Log;
  readonly firmware: string;
  readonly product_id: string;
  readonly newNonce: () => string;
  readonly updates?: UpdateDesk | undefined;
}

export type Conversations = ReturnType<typeof conversationsOf>;

/** One for each matter that is talked about; they know of one another only what they are handed here. */
export const conversationsOf = (parts: UplinkParts, greet: () => void) => {
  const { upstream, controller, state, clock, log, speaker } = parts;
  const drops = new DropCount(log);
  const gate = new DownGate({ identity: () => upstream.identity(), state, clock });
  const numbers = new RevocationNumbers(state);
  const known = (): RevocationNumbers => numbers.of(upstream.identity()?.organization_id ?? '');
  const sync = new SliceSync({
    ...parts,
    greet,
    dropped: (kind, why) => drops.add(kind, why),
    applied: () => {
      abreast.look();
      numbers.save();
    },
  });
  const caughtUp = (): void => {
    controller.inTouch();
    sync.nothingLacks();
  };
  const abreast: Abreast = new Abreast({ ...parts, sync, numbers: known, caughtUp });
  const time: BridgeTime = new BridgeTime({
    ...parts,
    learned: (said, isFresh) => {
      if (isFresh) {
        upstream.clockSet();
        actions.timeCame();
        technicians.timeCame();
      }
      abreast.learned(said, isFresh);
    },
    greet,
    reconnect: () => upstream.reconnect(),
  });
  const actions = new ActionDesk({ ...parts, time });
  const technicians = new FarTechnician({ ...parts, time });
  return {
    drops,
    gate,
    numbers,
    sync,
    abreast,
    session: new Session(parts),
    time,
    pump: new EventPump({ ...parts, lanes: controller.lanes }),
    actions,
    technicians,
    peerDesk: new PeerDesk(parts),
    rules: new Retelling('rules-changed', controller.localRules, parts),
    copies: new Retelling('rules-copy', controller.ruleCopies, parts),
    reports: new StatusReports(parts),
    updates: new UpdateTalk({ updates: parts.updates, say: report => void speaker.say('update-report', report) }),
  };
};
