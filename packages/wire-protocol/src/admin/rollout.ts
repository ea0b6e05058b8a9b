import { createExactlyOneFieldCheck } from '../rest/field-choice-checks.ts';
import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { updateReportStates } from '../updates/report-states.ts';

export const rolloutStates = ['running', 'paused', 'halted', 'cancelled', 'done'] as const;
export type RolloutState = (typeof rolloutStates)[number];

/** State of one device in a roll-out, in order. */
export const rolloutDeviceStates = ['waiting', 'told', ...updateReportStates] as const;

const DAY_SECONDS = 86_400;
const MEBIBYTE = 1024 * 1024;

/** A percentage of all devices, including earlier stages; or a number of additional devices. */
const stageRequest = z
  .strictObject({
    percent: z
      .number()
      .gt(0)
      .max(100)
      .optional()
      .describe('Devices of this and earlier stages in percent of all, more than 0. Either percent or count'),
    count: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('Number of additional devices, 1 to 100000. Either percent or count'),
    wait_s: z
      .int()
      .min(0)
      .max(30 * DAY_SECONDS)
      .default(0)
      .describe('How long the stage is observed before the next one begins, in seconds, at most 2592000'),
  })
  .describe('A stage of a roll-out')
  .check(createExactlyOneFieldCheck('percent', 'count'));

/** Percentages include earlier stages, so a percentage that does not grow is a stage without devices. */
const stageRequests = z
  .array(stageRequest)
  .max(20)
  .check(({ value, issues }) => {
    let before = 0;
    for (const [index, { percent }] of value.entries()) {
      if (percent === undefined) continue;
      const message = `must be more than ${before}, because it includes the earlier stages`;
      if (percent <= before) issues.push({ code: 'custom', input: percent, path: [index, 'percent'], message });
      before = percent;
    }
  });

export const createRolloutRequestSchema = z
  .strictObject({
    release_id: idSchema('release'),
    device_ids: z
      .array(idSchema('device'))
      .min(1)
      .max(10_000)
      .optional()
      .describe('Ids of the devices, 1 to 10000. Exactly one of device_ids, site_id and all'),
    site_id: idSchema('site')
      .optional()
      .describe('Id of a site: all its devices. Exactly one of device_ids, site_id and all'),
    all: z.literal(true).optional().describe('true: all devices. Exactly one of device_ids, site_id and all'),
    stages: stageRequests.default([]).describe('Stages, at most 20. Devices that they do not reach form a last stage'),
    halt_after_failures: z
      .int()
      .min(1)
      .max(100_000)
      .default(1)
      .describe('Number of failures that halts the roll-out, 1 to 100000'),
    rate: z
      .int()
      .min(1024)
      .max(1024 * MEBIBYTE)
      .default(2 * MEBIBYTE)
      .describe('Bytes per second for each device, 1024 to 1073741824'),
    switch_within_s: z
      .int()
      .min(0)
      .max(7 * DAY_SECONDS)
      .default(DAY_SECONDS / 4)
      .describe(
        'How long a device may wait until its doors are idle, in seconds, at most 604800. A gateway waits at most five minutes',
      ),
  })
  .check(createExactlyOneFieldCheck('device_ids', 'site_id', 'all'));
export type CreateRolloutRequest = z.infer<typeof createRolloutRequestSchema>;

const stage = tolerantObjectSchema({
  devices: z.int().describe('Number of devices of the stage'),
  wait_s: z.int().describe('How long the stage is observed before the next one begins, in seconds'),
}).describe('A stage of a roll-out');

export const rolloutResponseSchema = tolerantObjectSchema({
  id: idSchema('rollout'),
  organization_id: idSchema('organization'),
  release_id: idSchema('release'),
  program: z.string().describe('Program of the release'),
  version: z.string().describe('Version of the release'),
  state: openEnumSchema(rolloutStates).describe('State of the roll-out'),
  reason: z.string().nullable().describe('Why it is in this state. Null if there is no special reason'),
  stages: z.array(stage).describe('Stages, in order'),
  stage: z.int().describe('Index of the current stage, from 0'),
  halt_after_failures: z.int().describe('Number of failures that halts the roll-out'),
  rate: z.int().describe('Bytes per second for each device'),
  switch_within_s: z
    .int()
    .describe('How long a device may wait until its doors are idle, in seconds. A gateway waits at most five minutes'),
  progress: z.record(z.string(), z.int()).describe('Number of devices by state'),
  created_at: dateTimeSchema.describe('Time of creation, ISO 8601 in UTC'),
  finished_at: dateTimeSchema
    .nullable()
    .describe('End of the roll-out, ISO 8601 in UTC. Null while it is not finished'),
}).describe('An update of devices to a release, in stages');
export type RolloutResponse = z.infer<typeof rolloutResponseSchema>;

const rolloutDevice = tolerantObjectSchema({
  device_id: idSchema('device'),
  stage: z.int().describe('Index of the stage of the device, from 0'),
  state: openEnumSchema(rolloutDeviceStates).describe('State of the update of the device'),
  percent: z.int().nullable().describe('Progress of the update in percent. Null if not known'),
  reason: z.string().nullable().describe('Why the update of the device failed or waits. Null otherwise'),
  from_version: z.string().nullable().describe('Version before the update. Null if not known'),
  running_version: z.string().nullable().describe('Version that runs now. Null if not known'),
  online: z.boolean().describe('Whether the device is connected'),
  updated_at: dateTimeSchema.describe('Time of the last change, ISO 8601 in UTC'),
}).describe('Progress of a device');
export type RolloutDevice = z.infer<typeof rolloutDevice>;

/** Includes the progress of each device. */
export const rolloutDetailResponseSchema = tolerantObjectSchema({
  ...rolloutResponseSchema.shape,
  devices: z.array(rolloutDevice).describe('Progress of each device'),
}).describe('A roll-out with the progress of each device');
export type RolloutDetailResponse = z.infer<typeof rolloutDetailResponseSchema>;
