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
    percent: z.number().gt(0).max(100).optional(),
    count: z.int().min(1).max(100_000).optional(),
    /** How long the stage is observed before the next one begins. */
    wait_s: z
      .int()
      .min(0)
      .max(30 * DAY_SECONDS)
      .default(0),
  })
  .check(({ value: { percent, count }, issues }) => {
    if ((percent === undefined) !== (count === undefined)) return;
    issues.push({ code: 'custom', input: percent, path: ['percent'], message: 'or count must be set, but not both' });
  });

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
    device_ids: z.array(idSchema('device')).min(1).max(10_000).optional(),
    site_id: idSchema('site').optional(),
    all: z.literal(true).optional(),
    stages: stageRequests.default([]),
    halt_after_failures: z.int().min(1).max(100_000).default(1),
    /** Bytes per second for each device. */
    rate: z
      .int()
      .min(1024)
      .max(1024 * MEBIBYTE)
      .default(2 * MEBIBYTE),
    /** How long a device may wait until its doors are idle; a gateway waits at most five minutes. */
    switch_within_s: z
      .int()
      .min(0)
      .max(7 * DAY_SECONDS)
      .default(DAY_SECONDS / 4),
  })
  .check(({ value: { device_ids, site_id, all }, issues }) => {
    if ([device_ids, site_id, all].filter(one => one !== undefined).length === 1) return;
    const message = 'or site_id or all must be set, but only one of them';
    issues.push({ code: 'custom', input: device_ids, path: ['device_ids'], message });
  });
export type CreateRolloutRequest = z.infer<typeof createRolloutRequestSchema>;

const stage = tolerantObjectSchema({ devices: z.int(), wait_s: z.int() });

export const rolloutResponseSchema = tolerantObjectSchema({
  id: idSchema('rollout'),
  organization_id: idSchema('organization'),
  release_id: idSchema('release'),
  /** The program of the release. */
  program: z.string(),
  version: z.string(),
  state: openEnumSchema(rolloutStates),
  reason: z.string().nullable(),
  stages: z.array(stage),
  /** Index of the current stage. */
  stage: z.int(),
  halt_after_failures: z.int(),
  rate: z.int(),
  switch_within_s: z.int(),
  /** Number of devices per state. */
  progress: z.record(z.string(), z.int()),
  created_at: dateTimeSchema,
  finished_at: dateTimeSchema.nullable(),
});
export type RolloutResponse = z.infer<typeof rolloutResponseSchema>;

const rolloutDevice = tolerantObjectSchema({
  device_id: idSchema('device'),
  stage: z.int(),
  state: openEnumSchema(rolloutDeviceStates),
  percent: z.int().nullable(),
  reason: z.string().nullable(),
  from_version: z.string().nullable(),
  running_version: z.string().nullable(),
  online: z.boolean(),
  updated_at: dateTimeSchema,
});
export type RolloutDevice = z.infer<typeof rolloutDevice>;

/** Includes the progress of each device. */
export const rolloutDetailResponseSchema = tolerantObjectSchema({
  ...rolloutResponseSchema.shape,
  devices: z.array(rolloutDevice),
});
export type RolloutDetailResponse = z.infer<typeof rolloutDetailResponseSchema>;
