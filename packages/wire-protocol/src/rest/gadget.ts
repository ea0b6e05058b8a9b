import { LONGEST_PART_ID } from '@lintel/access-core/part-id';
import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { nameText, plainText } from '../schema-parts/plain-text.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { metadata, metadataCreate, metadataPatch, tagIds, tagIdsEdit } from './metadata.ts';

const named = tolerantObject({ id: z.string(), name: z.string() });

export const gadgetAnswer = tolerantObject({
  id: idOf('gadget'),
  organization_id: idOf('organization'),
  site_id: idOf('site'),
  device_id: idOf('device'),
  name: z.string(),
  actions: z.array(named),
  states: z.array(named),
  signals: z.array(named),
  state_id: z.string().nullable(),
  tag_ids: tagIds,
  is_deleted: z.boolean(),
  created_at: dateTime,
  metadata,
});
export type GadgetAnswer = z.infer<typeof gadgetAnswer>;

/** Part of an address (`/actions/open`), so without what an address would have to escape. */
const partId = z.string().regex(new RegExp(`^[A-Za-z0-9_.-]{1,${LONGEST_PART_ID}}$`), {
  error: `must be 1 to ${LONGEST_PART_ID} letters, digits, underscores, dots or hyphens`,
});

const MOST_PARTS = 64;

const parts = z
  .array(z.strictObject({ id: partId, name: nameText() }))
  .max(MOST_PARTS)
  .check(({ value, issues }) => {
    for (const [index, { id }] of value.entries()) {
      if (value.findIndex(part => part.id === id) === index) continue;
      issues.push({ code: 'custom', input: id, path: [index, 'id'], message: 'must differ from the others' });
    }
  });

/** What a gadget of a device is made of; through the administration, not through the public API. */
export const gadgetCreate = z
  .strictObject({
    name: nameText(1),
    actions: parts.default([]),
    states: parts.default([]),
    signals: parts.default([]),
    state_id: plainText(LONGEST_PART_ID).nullish(),
    metadata: metadataCreate,
    tag_ids: tagIdsEdit.default([]),
  })
  .check(({ value: { states, state_id }, issues }) => {
    if (state_id == null || states.some(({ id }) => id === state_id)) return;
    issues.push({ code: 'custom', input: state_id, path: ['state_id'], message: 'must be one of the states' });
  });
export type GadgetCreate = z.input<typeof gadgetCreate>;

export const gadgetEdit = z.strictObject({
  name: nameText(1).optional(),
  actions: parts.optional(),
  states: parts.optional(),
  signals: parts.optional(),
  state_id: plainText(LONGEST_PART_ID).nullish(),
  metadata: metadataPatch.optional(),
  tag_ids: tagIdsEdit.optional(),
});
export type GadgetEdit = z.input<typeof gadgetEdit>;

/** `accuracy` is recorded, not judged. */
const phoneLocation = z.strictObject({
  lat: z.number().min(-90).max(90),
  lng: z.number().min(-180).max(180),
  accuracy: z.number().min(0).nullish(),
});

export const executeAsMember = z.strictObject({ member_id: idOf('member'), location: phoneLocation.nullish() });
export type ExecuteAsMember = z.infer<typeof executeAsMember>;
