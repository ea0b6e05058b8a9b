import type { DeviceId } from '@lintel/access-core/ids';
import type {
  DeviceTransport,
  MessageHandler,
  PresenceHandler,
} from '@lintel/cloud-bridge/devices/transport/device-transport';
import type { DownWord, UpstreamIdentity } from '@lintel/device-runtime/uplink/upstream';
import { parseTopic, type UpKind, upTopic } from '@lintel/wire-protocol/mqtt/topics';

export interface Listening {
  readonly identity: Pick<UpstreamIdentity, 'device_id' | 'organization_id'>;
  /** The goodbye that is said for a controller whose line breaks. */
  readonly lastWill: Uint8Array;
  readonly hear: (kind: DownWord, payload: Uint8Array) => void;
  readonly sentAway: () => void;
}

/** The bridge answers each of these with the time. */
const asksForTime: readonly string[] = ['hello', 'time-request'] satisfies UpKind[];

/** Carries the messages of the protocol between a bridge and its controllers, all in this process, and none ever twice. */
export class InProcessBroker implements DeviceTransport {
  readonly #lines = new Map<DeviceId, Listening>();
  readonly #unanswered = new Map<DeviceId, number>();
  #handle: MessageHandler = () => undefined;
  #presence: PresenceHandler = () => undefined;
  #underWay = 0;

  /** Something is on its way, or a question waits for its answer. */
  get isBusy(): boolean {
    return this.#underWay > 0 || this.#unanswered.values().some(count => count > 0);
  }

  #carry(deliver: () => void): void {
    this.#underWay += 1;
    setImmediate(() => {
      this.#underWay -= 1;
      deliver();
    });
  }

  #tell(line: Listening, kind: DownWord, payload: Uint8Array): void {
    const { device_id } = line.identity;
    this.#carry(() => {
      if (this.#lines.get(device_id) !== line) return;
      if (kind === 'time') this.#unanswered.set(device_id, (this.#unanswered.get(device_id) ?? 0) - 1);
      line.hear(kind, payload);
    });
  }

  async publish(topic: string, payload: Uint8Array): Promise<void> {
    const parsed = parseTopic(topic);
    if (parsed === null || parsed.direction === 'up') return;
    for (const line of this.#lines.values()) {
      const { device_id, organization_id } = line.identity;
      const isMeant =
        parsed.direction === 'down' ? parsed.device_id === device_id : parsed.organization_id === organization_id;
      if (isMeant) this.#tell(line, parsed.kind, payload);
    }
  }

  onMessage(handler: MessageHandler): void {
    this.#handle = handler;
  }

  onPresence(handler: PresenceHandler): void {
    this.#presence = handler;
  }

  attach(line: Listening): void {
    this.#lines.set(line.identity.device_id, line);
    this.#unanswered.set(line.identity.device_id, 0);
  }

  say(line: Listening, kind: UpKind, payload: Uint8Array): void {
    const { device_id } = line.identity;
    this.#carry(() => {
      if (this.#lines.get(device_id) !== line) return;
      if (asksForTime.includes(kind)) this.#unanswered.set(device_id, (this.#unanswered.get(device_id) ?? 0) + 1);
      this.#handle(upTopic(device_id, kind), payload, device_id);
    });
  }

  /** `lastWord` null: the line broke, and the will is spoken. */
  detach(line: Listening, lastWord: Uint8Array | null): void {
    const { device_id } = line.identity;
    if (this.#lines.get(device_id) !== line) return;
    this.#lines.delete(device_id);
    this.#unanswered.delete(device_id);
    this.#carry(() => {
      this.#handle(upTopic(device_id, 'goodbye'), lastWord ?? line.lastWill, device_id);
      this.#presence(device_id, false);
    });
  }

  sendAway(deviceId: string): void {
    const line = this.#lines.get(deviceId as DeviceId);
    if (line === undefined) return;
    this.detach(line, null);
    line.sentAway();
  }

  async close(): Promise<void> {
    this.#lines.clear();
    this.#unanswered.clear();
  }
}
