import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import {
  accessEventSchema,
  type DeviceDiscovery,
  deviceDiscoverySchema,
  discoveryTopicPattern,
} from './home-assistant-schemas.ts';

interface ReceivedEvent {
  readonly topic: string;
  readonly payload: ReturnType<typeof accessEventSchema.parse>;
}

/** Reads the broker as Home Assistant does. Every discovery document and event is checked. */
export class HomeAssistantClient {
  readonly #mqtt: MqttClient;
  readonly messages = new Map<string, string>();
  readonly events: ReceivedEvent[] = [];
  /** All documents in the order of arrival. */
  readonly documents: { readonly topic: string; readonly document: DeviceDiscovery }[] = [];
  readonly #invalid: string[] = [];

  private constructor(mqtt: MqttClient) {
    this.#mqtt = mqtt;
  }

  static async connect(url: string, options: IClientOptions = {}): Promise<HomeAssistantClient> {
    const mqtt = await connectAsync(url, { reconnectPeriod: 50, ...options });
    const client = new HomeAssistantClient(mqtt);
    mqtt.on('error', () => undefined);
    mqtt.on('message', (topic, payload) => client.#receive(topic, payload.toString()));
    await mqtt.subscribeAsync(['homeassistant/#', 'lintel/#'], { qos: 1 });
    return client;
  }

  #receive(topic: string, payload: string): void {
    if (payload === '') return void this.messages.delete(topic);
    if (topic.endsWith('/event')) return this.#receiveEvent(topic, payload);
    this.messages.set(topic, payload);
    if (!topic.startsWith('homeassistant/')) return;
    const parsed = deviceDiscoverySchema.safeParse(JSON.parse(payload));
    if (!discoveryTopicPattern.test(topic)) this.#invalid.push(`topic ${topic}`);
    if (parsed.success) this.documents.push({ topic, document: parsed.data });
    else this.#invalid.push(`${topic}: ${parsed.error.message} in ${payload}`);
  }

  #receiveEvent(topic: string, payload: string): void {
    const parsed = accessEventSchema.safeParse(JSON.parse(payload));
    if (parsed.success) this.events.push({ topic, payload: parsed.data });
    else this.#invalid.push(`${topic}: ${parsed.error.message}`);
  }

  /** The current document of a device of Lintel; undefined when there is none. */
  discovery(deviceId: string): DeviceDiscovery | undefined {
    const topic = [...this.messages.keys()].find(
      name => name.startsWith('homeassistant/') && name.endsWith(`/${deviceId}/config`),
    );
    return topic === undefined ? undefined : deviceDiscoverySchema.parse(JSON.parse(this.messages.get(topic)!));
  }

  /** The state of an entity as its value template reads it; undefined without a message. */
  stateOf(deviceId: string, componentId: string): unknown {
    const component = this.discovery(deviceId)?.components[componentId];
    if (component === undefined || !('state_topic' in component)) return undefined;
    const text = this.messages.get(component.state_topic);
    const key =
      'value_template' in component ? /value_json\.(\w+)/.exec(component.value_template ?? '')?.[1] : undefined;
    return text === undefined || key === undefined ? text : (JSON.parse(text) as Record<string, unknown>)[key];
  }

  /** Whether all availability topics of the device say `online`. */
  isAvailable(deviceId: string): boolean {
    const topics = this.discovery(deviceId)?.availability ?? [];
    return topics.length > 0 && topics.every(({ topic }) => this.messages.get(topic) === 'online');
  }

  publish(topic: string, payload: string, retain = false): Promise<unknown> {
    return this.#mqtt.publishAsync(topic, payload, { qos: 1, retain });
  }

  /** Throws if a message does not conform. */
  async close(): Promise<void> {
    await this.#mqtt.endAsync(true);
    if (this.#invalid.length > 0) throw new Error(`Invalid messages for Home Assistant:\n${this.#invalid.join('\n')}`);
  }
}
