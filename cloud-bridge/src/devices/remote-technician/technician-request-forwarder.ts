import type { DeviceId, OAuthApplicationId, UserId } from '@lintel/access-core/ids';
import type { TechnicianRequestMqttMessage } from '@lintel/wire-protocol/mqtt/messages/technician-request';
import type { TechnicianResponseMqttMessage } from '@lintel/wire-protocol/mqtt/messages/technician-response';
import type { TechnicianLiveMqttMessage } from '@lintel/wire-protocol/mqtt/messages/technician-live';
import {
  isStrikeOperation,
  type RemoteTechnicianOperation,
  type StrikeOperation,
} from '@lintel/wire-protocol/mqtt/remote-technician-operations';
import type { Timers } from '@lintel/service/timing/timers';
import type { AuthorizedStrike } from '../../authorization/authorize-strike.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { DownlinkSender } from '../downlink/downlink-sender.ts';
import {
  findConnectedDownlinkRecipient,
  type ConnectedDownlinkRecipient,
} from '../find-connected-downlink-recipient.ts';
import type { DeviceSessionRegistry } from '../device-session-registry.ts';
import { createRequestId } from '../request-id.ts';
import { TechnicianResponseAssembler, type ForwardedTechnicianResponse } from './technician-response-assembler.ts';
import { LiveMessageSubscriptions, type LiveMessageSubscriber } from './live-message-subscriptions.ts';

const DEADLINE_MS = 10_000;
/** For the transport in both directions, in addition to the deadline of the controller. */
const TRANSPORT_MS = 2_000;

/** The user who is signed in at the bridge, and the application of their token. */
export interface RemoteTechnicianSubject {
  readonly user_id: UserId | null;
  readonly oauth_application_id: OAuthApplicationId | null;
}

type RequestContent = Pick<TechnicianRequestMqttMessage, 'parameters' | 'query' | 'body'> & RemoteTechnicianSubject;

/** An operation that moves outputs is forwarded only with the authorization of the strike. */
export type ForwardedTechnicianRequest = RequestContent &
  (
    | { readonly operation: Exclude<RemoteTechnicianOperation, StrikeOperation>; readonly strike?: never }
    | { readonly operation: StrikeOperation; readonly strike: AuthorizedStrike }
  );

class UnauthorizedStrikeError extends Error {
  override readonly name = 'UnauthorizedStrikeError';
}

interface PendingRequest {
  readonly deviceId: string;
  /** Of the session that the request was sent in. */
  readonly nonce: string;
  readonly response: TechnicianResponseAssembler;
  readonly resolve: (response: ForwardedTechnicianResponse | null) => void;
}

export interface TechnicianRequestForwarderDependencies {
  readonly services: Pick<BridgeServices, 'storage' | 'clock' | 'masterKeys'>;
  readonly sessions: DeviceSessionRegistry;
  readonly downlink: DownlinkSender;
  readonly timers: Timers;
}

/** Forwards requests of remote technicians to controllers, and responses and live messages back. */
export class TechnicianRequestForwarder {
  readonly #parts: TechnicianRequestForwarderDependencies;
  readonly #pending = new Map<string, PendingRequest>();
  readonly #subscriptions = new LiveMessageSubscriptions();

  constructor(parts: TechnicianRequestForwarderDependencies) {
    this.#parts = parts;
  }

  /**
   * Returns null if the controller is offline or does not respond in time. `processingMs` is how long the controller may
   * work on the request after it has received it in time.
   */
  async forward(
    deviceId: string,
    { strike, ...request }: ForwardedTechnicianRequest,
    processingMs = 0,
  ): Promise<ForwardedTechnicianResponse | null> {
    if (isStrikeOperation(request.operation) && strike?.isFor(deviceId) !== true)
      throw new UnauthorizedStrikeError(`${request.operation} at ${deviceId} is not authorized`);
    const { services, downlink } = this.#parts;
    const session = await this.#createDeviceSession(deviceId);
    if (session === null) return null;
    const sent_at = services.clock();
    const { user_id, oauth_application_id } = request;
    const request_id = createRequestId(services.masterKeys, sent_at, {
      deviceId,
      action: null,
      subject: { user_id, oauth_application_id },
    });
    const response = this.#responseTo(request_id, session, DEADLINE_MS + TRANSPORT_MS + processingMs);
    try {
      await downlink.send(session, 'technician', {
        v: 1,
        request_id,
        session_nonce: session.nonce,
        sent_at,
        deadline_ms: DEADLINE_MS,
        user_name: await this.#nameOf(user_id),
        ...request,
      });
    } catch {
      this.#pending.get(request_id)?.resolve(null);
    }
    return response;
  }

  async #nameOf(userId: UserId | null): Promise<string | null> {
    if (userId === null) return null;
    const { reader } = this.#parts.services.storage;
    const user = await reader.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirst();
    return user?.name ?? null;
  }

  async #createDeviceSession(deviceId: string): Promise<ConnectedDownlinkRecipient | null> {
    const { sessions, services } = this.#parts;
    return findConnectedDownlinkRecipient(services.storage, sessions, deviceId as DeviceId);
  }

  #responseTo(
    requestId: string,
    { deviceId, nonce }: ConnectedDownlinkRecipient,
    timeoutMs: number,
  ): Promise<ForwardedTechnicianResponse | null> {
    return new Promise(resolve => {
      const cancelTimeout = this.#parts.timers.after(timeoutMs, () => settle(null));
      const settle = (response: ForwardedTechnicianResponse | null): void => {
        cancelTimeout();
        this.#pending.delete(requestId);
        resolve(response);
      };
      this.#pending.set(requestId, { deviceId, nonce, response: new TechnicianResponseAssembler(), resolve: settle });
    });
  }

  onResponse(deviceId: string, part: TechnicianResponseMqttMessage): void {
    const pending = this.#pending.get(part.request_id);
    if (pending?.deviceId !== deviceId) return;
    const response = pending.response.add(part);
    if (response !== null) pending.resolve(response);
  }

  /** Ends the pending requests and live streams of a controller that has disconnected. */
  onDisconnect(deviceId: string): void {
    for (const pending of this.#pending.values()) if (pending.deviceId === deviceId) pending.resolve(null);
    this.#subscriptions.end(deviceId);
  }

  /** Ends the requests of a session whose end is stored. Until then, new requests find the session in the database. */
  endRequests({ deviceId, nonce }: { readonly deviceId: string; readonly nonce: string }): void {
    for (const pending of this.#pending.values())
      if (pending.deviceId === deviceId && pending.nonce === nonce) pending.resolve(null);
  }

  /** Returns false if the controller is unreachable. */
  subscribe(deviceId: string, subject: RemoteTechnicianSubject, subscriber: LiveMessageSubscriber): Promise<boolean> {
    return this.#subscriptions.add(deviceId, subscriber, async () => {
      const nonce = (await this.#createDeviceSession(deviceId))?.nonce ?? null;
      const request = { ...subject, operation: 'watch_live', parameters: {}, query: {}, body: null } as const;
      const response = nonce === null ? null : await this.forward(deviceId, request);
      return response?.status === 200 ? nonce : null;
    });
  }

  unsubscribe(deviceId: string, subscriber: LiveMessageSubscriber): void {
    this.#subscriptions.remove(deviceId, subscriber);
  }

  onLive(deviceId: string, live: TechnicianLiveMqttMessage): void {
    this.#subscriptions.receive(deviceId, live);
  }

  close(): void {
    for (const { resolve } of this.#pending.values()) resolve(null);
    this.#subscriptions.close();
  }
}
