import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { openEnum } from '../schema-parts/open-enum.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

export const rolloutStates = ['running', 'paused', 'halted', 'cancelled', 'done'] as const;
export type RolloutState = (typeof rolloutStates)[number];

/** Of one device: from the wish to its end. */
export const rolloutDeviceStates = [
  'waiting',
  'told',
  'downloading',
  'ready',
  'switched',
  'confirmed',
  'rolled_back',
  'failed',
  'cancelled',
] as const;

const DAY_SECONDS = 86_400;
const MEBIBYTE = 1024 * 1024;

/** A share of all devices, together with the stages before; or so many more. */
const stageWish = z
  .strictObject({
    percent: z.number().gt(0).max(100).optional(),
    count: z.int().min(1).max(100_000).optional(),
    /** How long it is looked at before the next stage begins. */
    wait_s: z
      .int()
      .min(0)
      .max(30 * DAY_SECONDS)
      .default(0),
  })
  .check(({ value: { percent, count }, issues }) => {
    if ((percent === undefined) !== (count === undefined)) return;
    issues.push({ code: 'custom', input: percent, path: ['percent'], message: 'must be set, or count, but not both' });
  });

/** Since it counts together with the stages before, a share that does not grow is a stage without devices. */
const stageWishes = z
  .array(stageWish)
  .max(20)
  .check(({ value, issues }) => {
    let before = 0;
    for (const [index, { percent }] of value.entries()) {
      if (percent === undefined) continue;
      const message = `must be more than the ${before} of the stages before, which it counts together with`;
      if (percent <= before) issues.push({ code: 'custom', input: percent, path: [index, 'percent'], message });
      before = percent;
    }
  });

export const rolloutCreate = z
  .strictObject({
    release_id: idOf('release'),
    device_ids: z.array(idOf('device')).min(1).max(10_000).optional(),
    site_id: idOf('site').optional(),
    all: z.literal(true).optional(),
    stages: stageWishes.default([]),
    halt_after_failures: z.int().min(1).max(100_000).default(1),
    /** Bytes a second for each device. */
    rate: z
      .int()
      .min(1024)
      .max(1024 * MEBIBYTE)
      .default(2 * MEBIBYTE),
    /** How long a device may wait for a moment in which nobody is at its doors; a gateway waits five minutes at most. */
    switch_within_s: z
      .int()
      .min(0)
      .max(7 * DAY_SECONDS)
      .default(DAY_SECONDS / 4),
  })
  .check(({ value: { device_ids, site_id, all }, issues }) => {
    if ([device_ids, site_id, all].filter(one => one !== undefined).length === 1) return;
    const message = 'must be set, or site_id, or all, and only one of them';
    issues.push({ code: 'custom', input: device_ids, path: ['device_ids'], message });
  });
export type RolloutCreate = z.infer<typeof rolloutCreate>;

const stage = tolerantObject({ devices: z.int(), wait_s: z.int() });

export const rolloutAnswer = tolerantObject({
  id: idOf('rollout'),
  organization_id: idOf('organization'),
  release_id: idOf('release'),
  /** Of the release: what the devices of this roll-out run. */
  program: z.string(),
  version: z.string(),
  state: openEnum(rolloutStates),
  reason: z.string().nullable(),
  stages: z.array(stage),
  /** The one that is under way, from 0. */
  stage: z.int(),
  halt_after_failures: z.int(),
  rate: z.int(),
  switch_within_s: z.int(),
  /** How many devices are in which state. */
  progress: z.record(z.string(), z.int()),
  created_at: dateTime,
  finished_at: dateTime.nullable(),
});
export type RolloutAnswer = z.infer<typeof rolloutAnswer>;

const rolloutDevice = tolerantObject({
  device_id: idOf('device'),
  stage: z.int(),
  state: openEnum(rolloutDeviceStates),
  percent: z.int().nullable(),
  reason: z.string().nullable(),
  from_version: z.string().nullable(),
  running_version: z.string().nullable(),
  online: z.boolean(),
  updated_at: dateTime,
});
export type RolloutDevice = z.infer<typeof rolloutDevice>;

/** With every device and how far it is. */
export const rolloutDetail = tolerantObject({ ...rolloutAnswer.shape, devices: z.array(rolloutDevice) });
