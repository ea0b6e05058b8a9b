import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import type { FaultRegistry } from '@lintel/service/faults/fault-registry';
import type { Log } from '@lintel/service/log-function-type';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { SiteObserver } from '../site/site-observer-interface.ts';
import type { SiteSnapshot } from '../site/site-snapshot.ts';
import {
  HomeAssistantEventDeduplicator,
  toHomeAssistantAccessEventPayload,
} from './access-event-payload-and-deduplicator.ts';
import { HomeAssistantBrokerLink, type HomeAssistantBrokerSettings } from './broker-link.ts';
import {
  HomeAssistantReportedControllerData,
  findReportedHomeAssistantFeatures,
  toHomeAssistantStatusPayload,
} from './reported-controller-data.ts';
import {
  buildHomeAssistantControllerDiscovery,
  buildHomeAssistantGatewayDiscovery,
  parseHomeAssistantControllerFeatures,
  type HomeAssistantGatewayDescription,
} from './mqtt-discovery-documents.ts';
import { toHomeAssistantGadgetStatePayload } from './gadget-state-payload.ts';
import { type ObservedUplinkMessage, verifyObservedUplinkMessage } from './verify-observed-uplink-message.ts';
import { parseHomeAssistantComponentPlatforms, markRemovedHomeAssistantComponents } from './mark-removed-components.ts';
import {
  type HomeAssistantSnapshotController,
  describeSiteForHomeAssistant,
  type HomeAssistantSiteDescription,
} from './site-description.ts';
import { HomeAssistantTopics } from './topics.ts';

export interface HomeAssistantOptions extends HomeAssistantBrokerSettings {
  readonly discoveryPrefix: string;
}

export interface HomeAssistantPublisherDependencies {
  readonly options: HomeAssistantOptions;
  readonly gatewayId: DeviceId;
  readonly organizationId: OrganizationId;
  readonly version: string;
  readonly snapshot: Pick<SiteSnapshot, 'held' | 'peers'>;
  readonly isConnected: (device: DeviceId) => boolean;
  readonly isOnline: () => boolean;
  readonly now: () => number;
  readonly faults: FaultRegistry;
  readonly log: Log;
}

const toConnectionPayload = (isConnected: boolean): string => (isConnected ? 'online' : 'offline');

/** Publishes the controllers and gadgets of the site to the broker of Home Assistant. It accepts no commands. */
export class HomeAssistantPublisher implements SiteObserver {
  readonly #deps: HomeAssistantPublisherDependencies;
  readonly #topics: HomeAssistantTopics;
  readonly #link: HomeAssistantBrokerLink;
  readonly #facts = new Map<DeviceId, HomeAssistantReportedControllerData>();
  readonly #newEvents = new HomeAssistantEventDeduplicator();
  /** The retained messages that are to be on the broker, by topic. */
  readonly #retained = new Map<string, string>();
  #site: HomeAssistantSiteDescription = describeSiteForHomeAssistant([]);

  constructor(deps: HomeAssistantPublisherDependencies) {
    const { options, gatewayId, faults, log } = deps;
    this.#deps = deps;
    this.#topics = new HomeAssistantTopics(gatewayId, options.discoveryPrefix);
    this.#link = new HomeAssistantBrokerLink({
      clientId: `lintel-${gatewayId}`,
      broker: options,
      availabilityTopic: this.#topics.availability,
      filters: this.#topics.filters,
      onRetained: (topic, payload) => this.#handleRetained(topic, payload),
      onConnected: () => this.#publishAll(),
      onOutage: reason => {
        if (reason === null) faults.clear('home_assistant');
        else faults.set('home_assistant', `The MQTT broker of Home Assistant is not available: ${reason}`);
      },
      log,
    });
  }

  start(): void {
    const { options, log } = this.#deps;
    log('info', 'Publishing the site to Home Assistant. Commands from there are not accepted', {
      broker: new URL(options.url).host,
    });
    this.siteChanged();
    this.#link.start();
  }

  stop(): Promise<void> {
    return this.#link.close();
  }

  siteChanged(): void {
    this.#site = describeSiteForHomeAssistant(this.#deps.snapshot.held?.entries ?? []);
    const controllers = new Set(this.#site.controllers.map(({ id }) => id));
    for (const device of this.#facts.keys()) if (!controllers.has(device)) this.#facts.delete(device);
    const messages = new Map([...this.#gatewayMessages(), ...this.#site.controllers.flatMap(this.#controllerMessages)]);
    const removed = [...this.#retained.keys()].filter(topic => !messages.has(topic));
    for (const topic of removed) this.#delete(topic);
    this.#set(messages);
  }

  linkChanged(): void {
    this.#set(this.#gatewayMessages());
  }

  connectionChanged(device: DeviceId): void {
    this.#updateController(device);
  }

  messageReceived(topic: string, payload: Uint8Array, sender: DeviceId): void {
    const { organizationId, snapshot } = this.#deps;
    const observed = verifyObservedUplinkMessage(topic, payload, sender, { organizationId, peers: snapshot.peers });
    if (observed === null) return;
    this.#apply(observed, sender);
    this.#updateController(sender);
  }

  #factsOf(device: DeviceId): HomeAssistantReportedControllerData {
    const known = this.#facts.get(device) ?? new HomeAssistantReportedControllerData();
    this.#facts.set(device, known);
    return known;
  }

  #apply(observed: ObservedUplinkMessage, sender: DeviceId): void {
    const facts = this.#factsOf(sender);
    switch (observed.kind) {
      case 'hello':
        facts.product = observed.message.product_id;
        facts.firmware = observed.message.firmware;
        return;
      case 'status':
        facts.status = toHomeAssistantStatusPayload(observed.message);
        for (const feature of findReportedHomeAssistantFeatures(facts.status)) facts.features.add(feature);
        return;
      case 'state':
        for (const { gadget_id, state_id, since } of observed.message.gadgets)
          if (this.#isGadgetOf(sender, gadget_id)) facts.setState(gadget_id, state_id, since);
        return;
      case 'events':
        for (const event of observed.message.events) this.#applyEvent(event, sender, facts);
    }
  }

  #applyEvent(event: DeviceEvent, sender: DeviceId, facts: HomeAssistantReportedControllerData): void {
    const { kind, gadget_state_id = null, occurred_at } = event;
    const isOwn = event.gadget_id != null && this.#isGadgetOf(sender, event.gadget_id);
    // A controller reports denials for gadgets of others, as its own reader, and nothing else about them.
    if (event.gadget_id != null && !isOwn && kind !== 'deny') return;
    const gadget_id = isOwn ? event.gadget_id! : null;
    if (kind === 'state' && gadget_id !== null && gadget_state_id !== null)
      facts.setState(gadget_id, gadget_state_id, occurred_at);
    const payload = toHomeAssistantAccessEventPayload(event);
    if (payload === null || !this.#newEvents.accept(event, this.#deps.now())) return;
    const topic = gadget_id === null ? this.#topics.readerEvent(sender) : this.#topics.gadgetEvent(gadget_id);
    this.#link.publish(topic, JSON.stringify(payload), false);
  }

  #isGadgetOf(controller: DeviceId, gadgetId: string): boolean {
    const gadgets = this.#site.controllers.find(({ id }) => id === controller)?.gadgets ?? [];
    return gadgets.some(({ id }) => id === gadgetId);
  }

  get #gateway(): HomeAssistantGatewayDescription {
    const { gatewayId: id, version } = this.#deps;
    return { id, name: this.#site.gatewayName, version };
  }

  #gatewayMessages(): [string, string][] {
    const { gatewayId, isOnline } = this.#deps;
    return [
      [this.#topics.availability, 'online'],
      [this.#topics.bridgeLink, toConnectionPayload(isOnline())],
      [
        this.#topics.discovery(gatewayId),
        JSON.stringify(buildHomeAssistantGatewayDiscovery(this.#gateway, this.#topics)),
      ],
    ];
  }

  readonly #controllerMessages = (controller: HomeAssistantSnapshotController): [string, string][] => {
    const { id, gadgets } = controller;
    const facts = this.#factsOf(id);
    const { product, firmware, features, status } = facts;
    const description = { ...controller, product, firmware, features };
    return [
      [
        this.#topics.discovery(id),
        JSON.stringify(buildHomeAssistantControllerDiscovery(description, this.#gateway, this.#topics)),
      ],
      [this.#topics.connection(id), toConnectionPayload(this.#deps.isConnected(id))],
      [this.#topics.status(id), JSON.stringify(status)],
      ...gadgets.map((gadget): [string, string] => [
        this.#topics.gadgetState(gadget.id),
        JSON.stringify(toHomeAssistantGadgetStatePayload(facts.stateOf(gadget.id))),
      ]),
    ];
  };

  #updateController(device: DeviceId): void {
    const controller = this.#site.controllers.find(({ id }) => id === device);
    if (controller !== undefined) this.#set(this.#controllerMessages(controller));
  }

  #set(messages: Iterable<readonly [string, string]>): void {
    for (const [topic, payload] of messages) {
      const earlier = this.#retained.get(topic);
      if (earlier === payload) continue;
      this.#retained.set(topic, payload);
      if (earlier !== undefined) this.#removeComponents(topic, earlier, payload);
      this.#link.publish(topic, payload, true);
    }
  }

  #delete(topic: string): void {
    this.#retained.delete(topic);
    this.#link.publish(topic, '', true);
  }

  #publishAll(): void {
    for (const [topic, payload] of this.#retained) this.#link.publish(topic, payload, true);
  }

  /** Home Assistant deletes an entity only if a document names it without its configuration. True if there was one. */
  #removeComponents(topic: string, earlier: string, payload: string): boolean {
    const document = this.#topics.isDiscovery(topic) ? markRemovedHomeAssistantComponents(earlier, payload) : null;
    if (document !== null) this.#link.publish(topic, document, true);
    return document !== null;
  }

  /** Messages from an earlier run of the gateway, or of controllers that left the site in the meantime. */
  #handleRetained(topic: string, payload: string): void {
    if (!this.#retained.has(topic)) return this.#link.publish(topic, '', true);
    const controller = this.#site.controllers.find(({ id }) => this.#topics.discovery(id) === topic);
    if (controller === undefined) return;
    for (const feature of parseHomeAssistantControllerFeatures(controller.id, [
      ...parseHomeAssistantComponentPlatforms(payload).keys(),
    ]))
      this.#factsOf(controller.id).features.add(feature);
    this.#updateController(controller.id);
    const current = this.#retained.get(topic)!;
    if (this.#removeComponents(topic, payload, current)) this.#link.publish(topic, current, true);
  }
}
