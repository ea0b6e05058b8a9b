import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseActionSteps, parseOutputInterlocks } from '@lintel/access-core/gadgets/action-steps';
import { parseBlindConfig } from '@lintel/access-core/gadgets/blind';
import { parseDoorConfig } from '@lintel/access-core/door/door-config';
import type { GadgetId, GadgetTriggerId, SiteId } from '@lintel/access-core/ids';
import { parseInputRules } from '@lintel/access-core/input-rules';
import { parseKeyEntryTimes } from '@lintel/access-core/key-entry-times';
import { monotonic } from '@lintel/access-core/monotonic-time';
import { getTriggerChainDepth, setTriggerChainDepth } from '@lintel/access-core/triggers/trigger-chain-depths';
import { computeTriggerEffects } from '@lintel/access-core/triggers/compute-trigger-effects';
import { createOAuthApplicationRequestSchema } from '@lintel/wire-protocol/admin/oauth-application';
import { createCardRequestSchema } from '@lintel/wire-protocol/rest/card';
import { createDeviceRequestSchema } from '@lintel/wire-protocol/rest/device';
import { createGadgetRequestSchema } from '@lintel/wire-protocol/rest/gadget';
import { createGadgetTriggerRequestSchema } from '@lintel/wire-protocol/rest/gadget-trigger';
import { parseListQuery } from '@lintel/wire-protocol/rest/list-query';
import { createMemberRequestSchema, editMemberRequestSchema } from '@lintel/wire-protocol/rest/member';
import { createMemberEmailRequestSchema } from '@lintel/wire-protocol/rest/member-email';
import { createMemberGroupRequestSchema } from '@lintel/wire-protocol/rest/member-group';
import { createMemberPinRequestSchema } from '@lintel/wire-protocol/rest/member-pin';
import { describeProblems } from '@lintel/wire-protocol/rest/base-api-error';
import { parseListFilter } from '@lintel/wire-protocol/rest/list-filter';
import type { Problem } from '@lintel/access-core/result';
import { parseRequestBody } from '@lintel/wire-protocol/rest/parse-request-body';
import { createScheduleRequestSchema } from '@lintel/wire-protocol/rest/schedule';
import { createSiteRequestSchema } from '@lintel/wire-protocol/rest/site';
import { createTagRequestSchema } from '@lintel/wire-protocol/rest/tag';
import { createWebhookRequestSchema } from '@lintel/wire-protocol/rest/webhook';
import { findNewPasswordProblem, StreamQuota } from '@lintel/cloud-bridge/testing';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';

const documented = [
  ...readFileSync(join(import.meta.dirname, '../../docs/integrator/limits.md'), 'utf8').matchAll(
    /^\| (.+?) +\| (\d+) +\|$/gm,
  ),
].map(([, what, most]) => ({ what: what ?? '', most: Number(most) }));

const many = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index));
const text = (length: number): string => 'x'.repeat(length);

const takes =
  (schema: z.ZodType, body: (count: number) => object) =>
  (count: number): boolean =>
    parseRequestBody(schema, body(count)).ok;

const url = 'https://pms.example.test/';
const parts = (count: number) => many(count, index => ({ id: `p${index}`, name: '' }));
const rule = (code: string, action_id = 'open') => ({ code, gadget_id: 'gad_1', action_id });
const step = (ms: number) => ({ step: 'wait', ms });
const outputs = ['up', 'down'];
const site = (fields: object) => ({ name: 'Main', ...fields });
const device = (fields: object) => ({ site_id: 'site_1', name: 'Door', product_id: 'p', ...fields });
const trigger = (target_action_id: string, source_state_id: string) => ({
  source_type: 'state',
  source_gadget_id: 'gad_1',
  source_state_id,
  target_gadget_id: 'gad_2',
  target_action_id,
});
const week = (count: number) => {
  const ranges = many(count, index => ({ start: index, end: index + 1 }));
  return many(7, day => ({ ranges: day === 3 ? ranges : [] }));
};

const acceptsPartId = (length: number): boolean => {
  const id = text(length);
  const answers = [
    ...['actions', 'states', 'signals'].map(field =>
      parseRequestBody(createGadgetRequestSchema, { name: 'Door', [field]: [{ id, name: '' }] }),
    ),
    parseRequestBody(createMemberGroupRequestSchema, { permissions: [{ gadget_id: 'gad_1', action_id: id }] }),
    parseInputRules([rule('1', id)]),
    parseRequestBody(createGadgetTriggerRequestSchema, trigger(id, 'open')),
    parseRequestBody(createGadgetTriggerRequestSchema, trigger('open', id)),
  ].map(({ ok }) => ok);
  expect(new Set(answers).size).toBe(1);
  return answers.every(Boolean);
};

const problemsOf = (count: number): readonly Problem[] => {
  const parsed = parseRequestBody(
    createMemberRequestSchema,
    Object.fromEntries(many(count, index => [`x${index}`, 1])),
  );
  return parsed.ok ? [] : parsed.problems;
};

const continuesChain = (depth: number): boolean => {
  const known = {
    id: 'gt_1' as GadgetTriggerId,
    site_id: 'site_1' as SiteId,
    is_deleted: false,
    source_type: 'signal',
    source_gadget_id: 'gad_1' as GadgetId,
    source_signal_id: 'ring',
    target_gadget_id: 'gad_2' as GadgetId,
    target_action_id: 'on',
  } as const;
  const ring = { type: 'signal', gadget_id: known.source_gadget_id, signal_id: 'ring' } as const;
  return computeTriggerEffects([known], ring, depth - 1)[0]?.type === 'execute_action';
};

const remembersChain = (count: number): boolean => {
  const ids = many(count, index => `gad_${index}` as GadgetId);
  const chain = { depth: 1, until: monotonic(10) };
  const depths = setTriggerChainDepth(new Map(ids.map(id => [id, chain])), ids.at(-1)!, 1, monotonic(0));
  return getTriggerChainDepth(depths, ids[0]!, monotonic(0)) === 1;
};

const admitsStreams = (count: number, admit: (quota: StreamQuota, index: number) => void): boolean => {
  const quota = new StreamQuota(() => 0);
  for (let index = 0; index < count - 1; index++) admit(quota, index);
  try {
    admit(quota, count - 1);
    return true;
  } catch {
    return false;
  }
};

/** For each documented limit: whether the code accepts this count, length or value. */
const accepts: Readonly<Record<string, (count: number) => boolean>> = {
  '`name` of any object, in characters': takes(createMemberRequestSchema, count => ({ name: text(count) })),
  '`metadata` of one object, in bytes of its JSON': takes(createMemberRequestSchema, count => ({
    metadata: { a: text(count - '{"a":""}'.length) },
  })),
  'Keys in one PATCH of `metadata`': takes(editMemberRequestSchema, count => ({
    metadata: Object.fromEntries(many(count, index => [index, null])),
  })),
  'Tags of one object': takes(createMemberRequestSchema, count => ({ tag_ids: many(count, index => `tag_${index}`) })),
  '`color` of a tag, in characters': takes(createTagRequestSchema, count => ({ name: 'VIP', color: text(count) })),
  '`printed_code` of a card, in characters': takes(createCardRequestSchema, count => ({ printed_code: text(count) })),
  'Digits of a PIN (at least 4)': takes(createMemberPinRequestSchema, count => ({ pin: '7'.repeat(count) })),
  '`language` of a member, in characters': takes(createMemberRequestSchema, count => ({
    language: `en-x-${'abcdefgh-'.repeat(20)}`.slice(0, count - 2).concat('ab'),
  })),
  '`email` of a member, in characters': takes(createMemberEmailRequestSchema, count => ({
    email: `${text(60)}@${`${text(60)}.`.repeat(3)}${text(count - 249)}.test`,
  })),
  'Permission rules of a member group': takes(createMemberGroupRequestSchema, count => ({
    permissions: many(count, () => ({})),
  })),
  'Ranges of one day in a schedule': takes(createScheduleRequestSchema, count => ({ weekdays: week(count) })),
  'Gadgets in the request that creates a device': takes(createDeviceRequestSchema, count =>
    device({ gadgets: many(count, () => ({ name: 'Door' })) }),
  ),
  'Actions of a gadget': takes(createGadgetRequestSchema, count => ({ name: 'Door', actions: parts(count) })),
  'States of a gadget': takes(createGadgetRequestSchema, count => ({ name: 'Door', states: parts(count) })),
  'Signals of a gadget': takes(createGadgetRequestSchema, count => ({ name: 'Door', signals: parts(count) })),
  'Id of an action, a state or a signal, in characters': acceptsPartId,
  'Input rules of a device': count => parseInputRules(many(count, index => rule(String(index).padStart(3, '0')))).ok,
  "Keys of an input rule's `code`": count => parseInputRules([rule('7'.repeat(count))]).ok,
  '`product_id` and `revision_id` of a device, in characters': takes(createDeviceRequestSchema, count =>
    device({ product_id: text(count) }),
  ),
  '`phone` of a site, in characters': takes(createSiteRequestSchema, count => site({ phone: text(count) })),
  '`email` of a site, in characters': takes(createSiteRequestSchema, count => site({ email: text(count) })),
  '`info` of a site, in characters': takes(createSiteRequestSchema, count => site({ info: text(count) })),
  '`address` and `place_id` of a site, in characters': takes(createSiteRequestSchema, count =>
    site({ map: { address: text(count) } }),
  ),
  '`radius` of a site, in meters': takes(createSiteRequestSchema, radius =>
    site({ geo: { location: { lat: 0, lng: 0 }, radius } }),
  ),
  '`url` of a webhook, in characters': takes(createWebhookRequestSchema, count => ({
    url: url + text(count - url.length),
  })),
  'Filter rules of a webhook': takes(createWebhookRequestSchema, count => ({
    url,
    filter: many(count, () => ({ object_type: 'member' })),
  })),
  'Expands of a webhook': takes(createWebhookRequestSchema, count => ({
    url,
    expand: many(count, () => 'object_gadget'),
  })),
  'Redirect URIs of an application': takes(createOAuthApplicationRequestSchema, count => ({
    name: 'PMS',
    redirect_uris: many(count, () => url),
  })),
  'Password of a user, in characters (at least 12)': count =>
    findNewPasswordProblem(
      Array.from({ length: count }, (_, index) => String.fromCodePoint(97 + ((index * index) % 23))).join(''),
      { email: 'admin@example.test', organizationNames: [] },
    ) === null,
  'Items on a page of a list': count => parseListQuery('member', { limit: String(count) }).ok,
  'Values in a body, in all lists and objects together': count => {
    const parsed = parseRequestBody(createMemberRequestSchema, { tag_ids: many(count - 1, () => 1) });
    return !parsed.ok && parsed.problems[0]?.code !== 'too_many';
  },
  'Problems told in the message of an error': count => !describeProblems(problemsOf(count))[0].includes('not listed'),
  'Values of one filter, separated by commas': count =>
    parseListFilter('event', 'object.member_id', many(count, index => `mem_${index}`).join(',')).ok,
  'Open event streams of a token or session': count => admitsStreams(count, quota => quota.admit('token', 'org_1')),
  'Open event streams of an organization': count =>
    admitsStreams(count, (quota, index) => quota.admit(`token ${index}`, 'org_1')),
  'Open event streams of a network that have sent no token': count =>
    admitsStreams(count, quota => quota.admitUnauthenticated('192.0.2.1')),
  '`strike_ms` of a door (at least 100)': strike_ms => parseDoorConfig({ strike_ms }).ok,
  '`held_open_ms` of a door (at least 1000)': held_open_ms => parseDoorConfig({ contact: true, held_open_ms }).ok,
  '`pre_alarm_ms` of a door, and shorter than `held_open_ms`': pre_alarm_ms =>
    parseDoorConfig({ contact: true, held_open_ms: 86_400_000, pre_alarm_ms }).ok,
  '`forced_grace_ms` of a door': forced_grace_ms => parseDoorConfig({ forced_grace_ms }).ok,
  '`travel_ms` of a blind (at least 1000)': travel_ms =>
    parseBlindConfig({ up_output: 'up', down_output: 'down', travel_ms }).ok,
  '`dead_ms` of a blind (at least 100)': dead_ms =>
    parseBlindConfig({ up_output: 'up', down_output: 'down', dead_ms }).ok,
  'Steps of an action': count => parseActionSteps(many(count, () => step(1))).ok,
  '`ms` of a step': ms => parseActionSteps([step(ms)]).ok,
  "Interlocks of a gadget's outputs": count => parseOutputInterlocks(many(count, () => ({ outputs }))).ok,
  '`dead_ms` of an interlock': dead_ms => parseOutputInterlocks([{ outputs, dead_ms }]).ok,
  'Each of the key entry `times`, in milliseconds': quiet_ms => parseKeyEntryTimes({ quiet_ms }).ok,
  'Triggers in a chain': continuesChain,
  'Gadgets whose position in a trigger chain is kept': remembersChain,
};

describe('docs/integrator/limits.md', () => {
  it('lists exactly the limits that this file checks', () => {
    expect(documented.map(({ what }) => what).toSorted()).toEqual(Object.keys(accepts).toSorted());
  });

  it.each(documented)('states the limit of the code: $what, $most', ({ what, most }) => {
    const isAccepted = accepts[what];
    expect([isAccepted?.(most), isAccepted?.(most + 1)]).toEqual([true, false]);
  });

  it('states how long the depth of a trigger chain is kept', () => {
    const hours = 65 * 3_600_000 + 4 * 60_000;
    const depths = setTriggerChainDepth(new Map(), 'gad_1' as GadgetId, 1, monotonic(0));
    expect([hours, hours + 1].map(at => getTriggerChainDepth(depths, 'gad_1' as GadgetId, monotonic(at)))).toEqual([
      1, 0,
    ]);
  });
});
