const ROOT = 'lintel/home-assistant';

/** The topics of one gateway on the broker of Home Assistant. Ids contain only letters, digits and underscores. */
export class HomeAssistantTopics {
  readonly #root: string;
  readonly #discovery: string;

  constructor(gatewayId: string, discoveryPrefix: string) {
    this.#root = `${ROOT}/${gatewayId}`;
    this.#discovery = `${discoveryPrefix}/device/lintel_${gatewayId}`;
  }

  /** Everything that this gateway may have left on the broker. */
  get filters(): string[] {
    return [`${this.#discovery}/+/config`, `${this.#root}/#`];
  }

  /** `online` while the gateway is connected to the broker. */
  get availability(): string {
    return `${this.#root}/availability`;
  }

  /** `online` while the gateway is connected to the bridge. */
  get bridgeLink(): string {
    return `${this.#root}/bridge`;
  }

  /** The discovery document of the gateway or of a controller. */
  discovery(deviceId: string): string {
    return `${this.#discovery}/${deviceId}/config`;
  }

  isDiscovery(topic: string): boolean {
    return topic.startsWith(`${this.#discovery}/`);
  }

  /** `online` while the controller is connected to the gateway. */
  connection(deviceId: string): string {
    return `${this.#root}/${deviceId}/connection`;
  }

  status(deviceId: string): string {
    return `${this.#root}/${deviceId}/status`;
  }

  /** Denials of a controller that concern none of its gadgets. */
  readerEvent(deviceId: string): string {
    return `${this.#root}/${deviceId}/event`;
  }

  gadgetState(gadgetId: string): string {
    return `${this.#root}/${gadgetId}/state`;
  }

  gadgetEvent(gadgetId: string): string {
    return `${this.#root}/${gadgetId}/event`;
  }
}
