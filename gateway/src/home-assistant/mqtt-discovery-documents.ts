import { canReportDoorOpen, hasLockStates } from './gadget-state-payload.ts';
import type { HomeAssistantTopics } from './topics.ts';

/** What a controller has only if it reported it once. */
export type HomeAssistantControllerFeature = 'battery' | 'mains' | 'tamper';

export interface HomeAssistantGadgetDescription {
  readonly id: string;
  readonly name: string;
  readonly states: readonly string[];
}

export interface HomeAssistantControllerDescription {
  readonly id: string;
  readonly name: string;
  /** Null until it connects. */
  readonly product: string | null;
  readonly firmware: string | null;
  readonly features: ReadonlySet<string>;
  readonly gadgets: readonly HomeAssistantGadgetDescription[];
}

export interface HomeAssistantGatewayDescription {
  readonly id: string;
  readonly name: string;
  readonly version: string;
}

type Component = Readonly<Record<string, unknown>> & { readonly platform: 'binary_sensor' | 'sensor' | 'event' };
type Components = Readonly<Record<string, Component>>;

export interface HomeAssistantDiscoveryDocument {
  readonly device: Readonly<Record<string, unknown>>;
  readonly origin: Readonly<Record<string, unknown>>;
  readonly components: Components;
  readonly [key: string]: unknown;
}

export const homeAssistantAccessEventTypes = ['granted', 'denied'] as const;

const MANUFACTURER = 'Lintel';
const identifierOf = (id: string): string => `lintel_${id}`;
const diagnostic = { entity_category: 'diagnostic' };
const connection = { device_class: 'connectivity', payload_on: 'online', payload_off: 'offline', ...diagnostic };

/** Every entity has an id that stays the same when the object is renamed. */
const withUniqueIds = (owner: string, components: Components): Components =>
  Object.fromEntries(
    Object.entries(components).map(([key, component]) => [
      `${owner}_${key}`,
      { ...component, unique_id: `${identifierOf(owner)}_${key}` },
    ]),
  );

const gadgetComponents = (
  { id, name, states }: HomeAssistantGadgetDescription,
  topics: HomeAssistantTopics,
): Components => {
  const known = new Set(states);
  const state_topic = topics.gadgetState(id);
  const reading = (key: string, title: string): Component => ({
    platform: 'binary_sensor',
    name: `${name} ${title}`,
    device_class: key,
    state_topic,
    value_template: `{{ value_json.${key} }}`,
  });
  return withUniqueIds(id, {
    ...(hasLockStates(known) ? { lock: reading('lock', 'lock') } : {}),
    ...(canReportDoorOpen(known) ? { door: reading('door', 'contact') } : {}),
    ...(states.length === 0
      ? {}
      : {
          state: {
            platform: 'sensor',
            name: `${name} state`,
            device_class: 'enum',
            options: [...states],
            state_topic,
            value_template: '{{ value_json.state }}',
          },
        }),
    access: {
      platform: 'event',
      name: `${name} access`,
      event_types: [...homeAssistantAccessEventTypes],
      state_topic: topics.gadgetEvent(id),
    },
  });
};

const featureComponents = (state_topic: string): Readonly<Record<HomeAssistantControllerFeature, Component>> => {
  const binary = { platform: 'binary_sensor', state_topic } as const;
  return {
    tamper: { ...binary, name: 'Tamper', device_class: 'tamper', value_template: '{{ value_json.tamper }}' },
    mains: {
      ...binary,
      name: 'Mains power',
      device_class: 'power',
      value_template: '{{ value_json.mains }}',
      ...diagnostic,
    },
    battery: {
      platform: 'sensor',
      name: 'Battery',
      device_class: 'battery',
      unit_of_measurement: '%',
      state_class: 'measurement',
      state_topic,
      value_template: '{{ value_json.battery }}',
      ...diagnostic,
    },
  };
};

const featureKeys: readonly string[] = ['tamper', 'mains', 'battery'] satisfies HomeAssistantControllerFeature[];

/** The features in an earlier document of the controller. */
export const parseHomeAssistantControllerFeatures = (controllerId: string, componentIds: readonly string[]): string[] =>
  featureKeys.filter(key => componentIds.includes(`${controllerId}_${key}`));

const controllerComponents = (
  { id, features }: HomeAssistantControllerDescription,
  topics: HomeAssistantTopics,
  gatewayAvailability: object,
): Components => {
  const state_topic = topics.status(id);
  const optional = Object.entries(featureComponents(state_topic)).filter(([key]) => features.has(key));
  return withUniqueIds(id, {
    connection: {
      platform: 'binary_sensor',
      name: 'Connection',
      state_topic: topics.connection(id),
      ...connection,
      // Stays available when the controller is not, because it is what reports that.
      availability: [gatewayAvailability],
    },
    problem: {
      platform: 'binary_sensor',
      name: 'Fault',
      device_class: 'problem',
      state_topic,
      value_template: '{{ value_json.problem }}',
      json_attributes_topic: state_topic,
      json_attributes_template: "{{ {'faults': value_json.faults} | tojson }}",
      ...diagnostic,
    },
    reader: {
      platform: 'event',
      name: 'Reader',
      event_types: ['denied'],
      state_topic: topics.readerEvent(id),
    },
    ...Object.fromEntries(optional),
  });
};

const originOf = ({ version }: HomeAssistantGatewayDescription): HomeAssistantDiscoveryDocument['origin'] => ({
  name: MANUFACTURER,
  sw_version: version,
});

export const buildHomeAssistantGatewayDiscovery = (
  gateway: HomeAssistantGatewayDescription,
  topics: HomeAssistantTopics,
): HomeAssistantDiscoveryDocument => ({
  device: {
    identifiers: [identifierOf(gateway.id)],
    name: gateway.name,
    manufacturer: MANUFACTURER,
    model: 'Gateway',
    sw_version: gateway.version,
  },
  origin: originOf(gateway),
  availability: [{ topic: topics.availability }],
  components: withUniqueIds(gateway.id, {
    bridge: { platform: 'binary_sensor', name: 'Bridge connection', state_topic: topics.bridgeLink, ...connection },
  }),
});

export const buildHomeAssistantControllerDiscovery = (
  controller: HomeAssistantControllerDescription,
  gateway: HomeAssistantGatewayDescription,
  topics: HomeAssistantTopics,
): HomeAssistantDiscoveryDocument => {
  const { id, name, product, firmware, gadgets } = controller;
  const gatewayAvailability = { topic: topics.availability };
  return {
    device: {
      identifiers: [identifierOf(id)],
      name,
      manufacturer: MANUFACTURER,
      ...(product === null ? {} : { model: product }),
      ...(firmware === null ? {} : { sw_version: firmware }),
      via_device: identifierOf(gateway.id),
    },
    origin: originOf(gateway),
    availability: [gatewayAvailability, { topic: topics.connection(id) }],
    availability_mode: 'all',
    components: {
      ...controllerComponents(controller, topics, gatewayAvailability),
      ...Object.assign({}, ...gadgets.map(gadget => gadgetComponents(gadget, topics))),
    },
  };
};
