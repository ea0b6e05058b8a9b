import { repeatEvery } from '@lintel/service/timing/repeating-timer';
import type { TechnicianLiveMqttMessage } from '@lintel/wire-protocol/mqtt/messages/technician-live';

/** The controller stops sending 45 s after the last request. */
const RENEW_MS = 20_000;

export interface LiveMessageSubscriber {
  readonly onMessage: (message: TechnicianLiveMqttMessage['happenings'][number]) => void;
  /** The stream has ended. The subscriber may subscribe again. */
  readonly onEnd: () => void;
}

/** Asks the controller for live messages. Returns the nonce of its session, or null if it is unreachable. */
export type RequestLiveMessages = () => Promise<string | null>;

interface Subscription {
  readonly subscribers: Set<LiveMessageSubscriber>;
  readonly stopRenewing: () => void;
  nonce: string;
  /** Of the last message that was forwarded. */
  lastNumber: number;
}

/** The subscribers of each controller. A controller sends its messages once, however many subscribers there are. */
export class LiveMessageSubscriptions {
  readonly #subscriptions = new Map<string, Subscription>();

  /** Returns false if the controller is unreachable. */
  async add(deviceId: string, subscriber: LiveMessageSubscriber, requestLive: RequestLiveMessages): Promise<boolean> {
    const known = this.#subscriptions.get(deviceId);
    if (known !== undefined) {
      known.subscribers.add(subscriber);
      return true;
    }
    const stopRenewing = repeatEvery(RENEW_MS, () => this.#renew(deviceId, requestLive));
    this.#subscriptions.set(deviceId, { subscribers: new Set([subscriber]), stopRenewing, nonce: '', lastNumber: 0 });
    if (await this.#renew(deviceId, requestLive)) return true;
    this.remove(deviceId, subscriber);
    return false;
  }

  async #renew(deviceId: string, requestLive: RequestLiveMessages): Promise<boolean> {
    const nonce = await requestLive();
    const subscription = this.#subscriptions.get(deviceId);
    if (nonce === null || subscription === undefined) {
      this.end(deviceId);
      return false;
    }
    if (nonce !== subscription.nonce) [subscription.nonce, subscription.lastNumber] = [nonce, 0];
    return true;
  }

  remove(deviceId: string, subscriber: LiveMessageSubscriber): void {
    const subscription = this.#subscriptions.get(deviceId);
    if (subscription === undefined || !subscription.subscribers.delete(subscriber)) return;
    if (subscription.subscribers.size > 0) return;
    subscription.stopRenewing();
    this.#subscriptions.delete(deviceId);
  }

  /** Ignores messages of another session and repeated messages. */
  receive(deviceId: string, { session_nonce, first, happenings }: TechnicianLiveMqttMessage): void {
    const subscription = this.#subscriptions.get(deviceId);
    if (subscription === undefined || session_nonce !== subscription.nonce || first <= subscription.lastNumber) return;
    subscription.lastNumber = first + happenings.length - 1;
    for (const { onMessage } of subscription.subscribers) for (const message of happenings) onMessage(message);
  }

  end(deviceId: string): void {
    for (const subscriber of this.#subscriptions.get(deviceId)?.subscribers ?? []) {
      this.remove(deviceId, subscriber);
      subscriber.onEnd();
    }
  }

  close(): void {
    for (const deviceId of this.#subscriptions.keys()) this.end(deviceId);
  }
}
