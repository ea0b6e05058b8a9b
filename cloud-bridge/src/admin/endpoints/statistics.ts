import { isRepeated, isUnknownParameter, mustBeOneOf } from '@lintel/access-core/problem-texts';
import { DAY_MS, HOUR_MS } from '@lintel/access-core/durations';
import { type Instant, instant, parseInstant } from '@lintel/access-core/instant';
import { resolveTimeZone } from '@lintel/access-core/time-zone';
import { activityStatisticsResponseSchema } from '@lintel/wire-protocol/admin/activity-statistics';
import { memberGroupSizesResponseSchema } from '@lintel/wire-protocol/admin/member-group-sizes';
import { type ActivityStatisticsRequest, loadActivityStatistics } from '../../derived-data/load-activity-statistics.ts';
import { MemberGroupSizes } from '../../derived-data/count-members-by-group.ts';
import { unwrapOrThrow, createInvalidParameterError } from '../../http/api-error.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';

const DEFAULT_DAYS = 7;
const MAX_DAYS = { hour: 31, day: 366 } as const;

const queryParameters = {
  from: 'Start of the period, rounded down to the hour. Default: 7 days before its end',
  to: 'End of the period, rounded up to the hour. Default: now',
  bucket: `hour (at most ${MAX_DAYS.hour} days) or day (at most ${MAX_DAYS.day} days). Default: day`,
  timezone: 'IANA time zone in which days begin. Default: UTC',
};

type Query = Readonly<Record<string, unknown>>;

const textOf = (query: Query, name: keyof typeof queryParameters): string | null => {
  const value = query[name];
  if (value === undefined) return null;
  if (typeof value !== 'string') throw createInvalidParameterError(name, isRepeated);
  return value;
};

const timeOf = (query: Query, name: 'from' | 'to'): Instant | null => {
  const text = textOf(query, name);
  return text === null ? null : unwrapOrThrow(parseInstant(text, name), 'parameter');
};

const parseActivityRequest = (query: Query, now: Instant): ActivityStatisticsRequest => {
  const unknown = Object.keys(query).find(name => !Object.hasOwn(queryParameters, name));
  if (unknown !== undefined) throw createInvalidParameterError(unknown, isUnknownParameter());
  const bucket = textOf(query, 'bucket') ?? 'day';
  if (bucket !== 'hour' && bucket !== 'day') throw createInvalidParameterError('bucket', mustBeOneOf(['hour', 'day']));
  const zone = resolveTimeZone(textOf(query, 'timezone') ?? 'UTC');
  if (!zone.ok) throw createInvalidParameterError('timezone', 'must be an IANA time zone such as Europe/Madrid');
  const to = Math.ceil((timeOf(query, 'to') ?? now) / HOUR_MS) * HOUR_MS;
  const from = Math.floor((timeOf(query, 'from') ?? to - DEFAULT_DAYS * DAY_MS) / HOUR_MS) * HOUR_MS;
  if (from >= to) throw createInvalidParameterError('from', "must be before 'to'");
  if (to - from > MAX_DAYS[bucket] * DAY_MS + HOUR_MS)
    throw createInvalidParameterError(
      'from',
      `must not be more than ${MAX_DAYS[bucket]} days before 'to', because 'bucket' is ${bucket}`,
    );
  return { from: instant(from), to: instant(to), bucket, zone: zone.value };
};

export const createStatisticsEndpoints = ({ storage, clock }: BridgeServices): AdminEndpoint[] => {
  const memberGroupSizes = new MemberGroupSizes(storage.reader);
  return [
    defineAdminEndpoint({
      requiredPermission: 'events.read',
      method: 'GET',
      path: `${ORGANIZATION_PATH_PREFIX}/statistics/activity`,
      tag: 'Events',
      summary: 'Count openings and denials by hour or day, and list the busiest gadgets',
      response: activityStatisticsResponseSchema,
      query: queryParameters,
      handle: ({ caller, query }) =>
        loadActivityStatistics(storage.reader, caller.organizationId, parseActivityRequest(query, clock())),
    }),
    defineAdminEndpoint({
      requiredPermission: 'member_groups.read',
      method: 'GET',
      path: `${ORGANIZATION_PATH_PREFIX}/statistics/member_groups`,
      tag: 'Member groups',
      summary: 'Count the members of each group',
      response: memberGroupSizesResponseSchema,
      handle: ({ caller }) => memberGroupSizes.of(caller.organizationId),
    }),
  ];
};
