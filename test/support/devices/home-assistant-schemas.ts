import * as z from 'zod';

/*
 * The documented keys and enumerations of MQTT discovery in Home Assistant, as far as Lintel uses them. Strict objects:
 * Home Assistant ignores or rejects unknown keys.
 */

const topic = z.string().regex(/^[^+#\s]+$/);
const template = z.string().regex(/^\{\{ .+ \}\}$/);
const availability = z.array(z.strictObject({ topic })).min(1);

const entity = {
  name: z.string().min(1),
  unique_id: z.string().regex(/^[a-z0-9_]+$/i),
  state_topic: topic,
  entity_category: z.enum(['config', 'diagnostic']).optional(),
  availability: availability.optional(),
};

const binarySensor = z.strictObject({
  ...entity,
  platform: z.literal('binary_sensor'),
  device_class: z.enum(['connectivity', 'door', 'lock', 'power', 'problem', 'tamper']),
  value_template: template.optional(),
  payload_on: z.string().optional(),
  payload_off: z.string().optional(),
  json_attributes_topic: topic.optional(),
  json_attributes_template: template.optional(),
});

const batterySensor = z.strictObject({
  ...entity,
  platform: z.literal('sensor'),
  device_class: z.literal('battery'),
  unit_of_measurement: z.literal('%'),
  state_class: z.literal('measurement'),
  value_template: template,
});

/** Must not have a unit or a state class. */
const enumSensor = z.strictObject({
  ...entity,
  platform: z.literal('sensor'),
  device_class: z.literal('enum'),
  options: z.array(z.string()).min(1),
  value_template: template,
});

const event = z.strictObject({
  ...entity,
  platform: z.literal('event'),
  event_types: z.array(z.string()).min(1),
});

/** Deletes the entity. */
const removed = z.strictObject({ platform: z.enum(['binary_sensor', 'sensor', 'event']) });

const device = z.strictObject({
  identifiers: z.array(z.string()).min(1),
  name: z.string().min(1),
  manufacturer: z.string(),
  model: z.string().optional(),
  sw_version: z.string().optional(),
  via_device: z.string().optional(),
});

export const deviceDiscoverySchema = z.strictObject({
  device,
  origin: z.strictObject({ name: z.string(), sw_version: z.string() }),
  availability,
  availability_mode: z.enum(['all', 'any', 'latest']).optional(),
  components: z.record(z.string(), z.union([binarySensor, batterySensor, enumSensor, event, removed])),
});
export type DeviceDiscovery = z.infer<typeof deviceDiscoverySchema>;

/** `[discovery prefix]/device/[node id]/[object id]/config`. */
export const discoveryTopicPattern = /^homeassistant\/device\/[a-zA-Z0-9_-]+\/[a-zA-Z0-9_-]+\/config$/;

/** `event_type` is one of the entity's `event_types`; the other keys become attributes. */
export const accessEventSchema = z.strictObject({
  event_type: z.enum(['granted', 'denied']),
  action: z.string().nullable(),
  method: z.string().nullable(),
  reason: z.string().nullable(),
  occurred_at: z.iso.datetime(),
});
