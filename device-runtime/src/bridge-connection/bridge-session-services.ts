import type { HelloMqttMessage } from '@lintel/wire-protocol/mqtt/messages/hello';
import type { DeviceId } from '@lintel/access-core/ids';
import { ok, type Result } from '@lintel/access-core/result';
import type { RevocationHistory, ProgramSessionExtensions } from '@lintel/device-link/session/session-dependencies';
import type { TimeSync } from '@lintel/device-link/session/time/time-sync';
import { RetryUntilAcknowledged } from '@lintel/device-link/session/uplink/retry-until-acknowledged';
import type { PeerMessageKind, UplinkPublisher } from '@lintel/device-link/session/uplink/uplink-publisher';
import type { UpdateHandler } from '@lintel/updates/update-handler-interface';
import { UpdateMessages } from '@lintel/updates/receive-updates-and-publish-reports';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { PowerStatusReader } from '@lintel/drivers/interfaces';
import type { MqttMessageContent } from '@lintel/wire-protocol/mqtt/message-definitions';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';
import type { Upstream } from './upstream-interface.ts';
import type { WallClock } from '../clock/wall-clock-interface.ts';
import type { Controller } from '../controller/controller.ts';
import { ActionRequestHandler } from './action-request-handler.ts';
import { openPeerFrame } from './peers/open-peer-frame.ts';
import { PeerRequestHandler } from './peers/peer-request-handler.ts';
import type { PeerRequestClient } from './peers/peer-request-client.ts';
import { RemoteTechnicianRequestHandler } from './remote-technician/remote-technician-request-handler.ts';
import type { StatusReporter } from './status-reporter.ts';

export interface BridgeSessionServicesDependencies {
  readonly upstream: Upstream;
  readonly controller: Controller;
  readonly publisher: UplinkPublisher;
  readonly peers: PeerRequestClient;
  readonly revocationHistory?: RevocationHistory;
  readonly clock: MonotonicClock;
  readonly wall: WallClock;
  readonly state: ControllerStateStore;
  readonly power: PowerStatusReader;
  readonly log: Log;
  readonly firmware: string;
  readonly product_id: string;
  readonly product?: HelloMqttMessage['product'];
  readonly newNonce: () => string;
  readonly updates?: UpdateHandler | undefined;
}

type PeerHandlers = {
  readonly [K in PeerMessageKind]: (from: DeviceId, message: MqttMessageContent<K>, frame: Uint8Array) => void;
};

const peerReceiver = (
  { upstream, controller, peers }: BridgeSessionServicesDependencies,
  requests: PeerRequestHandler,
) => {
  const handlers: PeerHandlers = {
    'peer-hello': (from, message) => requests.onHello(from, message),
    'peer-request': (from, message, frame) => requests.onRequest(from, message, frame),
    'peer-nonce': (from, message) => peers.onNonce(from, message),
    'peer-answer': (from, message) => peers.onResponse(from, message),
  };
  return <K extends PeerMessageKind>(kind: K, payload: Uint8Array): Result<unknown> => {
    const identity = upstream.identity();
    if (identity === null) return ok(null);
    const opened = openPeerFrame(kind, payload, identity, controller.snapshot);
    if (opened.ok) handlers[kind](opened.value.from, opened.value.message, payload);
    return opened;
  };
};

/** The firmware's services on top of the device session. */
export const createBridgeSessionServices = (
  parts: BridgeSessionServicesDependencies,
  reports: StatusReporter,
  time: TimeSync,
): ProgramSessionExtensions => {
  const { upstream, controller, publisher } = parts;
  const actions = new ActionRequestHandler({ ...parts, time });
  const technicians = new RemoteTechnicianRequestHandler({ ...parts, time });
  const rules = new RetryUntilAcknowledged('rules-changed', controller.localRules, parts);
  const copies = new RetryUntilAcknowledged('rules-copy', controller.ruleCopies, parts);
  const updates = new UpdateMessages({
    updates: parts.updates,
    publish: report => void publisher.publish('update-report', report),
  });
  return {
    handlers: {
      action: (request, { late_ms }) => actions.receive(request, late_ms),
      technician: (request, { late_ms }) => technicians.receive(request, late_ms),
      rules: response => rules.acknowledge(response),
      'rules-copied': response => copies.acknowledge(response),
      'site-directory': directory => controller.siteDirectory.update(directory),
      update: message => updates.handle(message),
      'resend-events': ({ from }) => controller.resendEvents(from),
    },
    services: [
      { timeReceived: () => upstream.onTimeReceived() },
      {
        startSession: () => controller.eventTimes.release(false),
        timeRejected: () => controller.eventTimes.release(true),
      },
      actions,
      technicians,
      rules,
      copies,
      controller.ruleCopies,
      { setOnline: isOnline => updates.setOnline(isOnline) },
      reports,
    ],
    receivePeer: peerReceiver(parts, new PeerRequestHandler(parts)),
  };
};
