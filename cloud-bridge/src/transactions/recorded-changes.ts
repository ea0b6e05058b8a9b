import type { IdKind } from '@lintel/access-core/ids';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import { instant } from '@lintel/access-core/instant';

/** Values before and after, by field. The value before is null for something new. */
export type RecordedChanges = Readonly<Record<string, readonly [before: unknown, after: unknown]>>;

type Form = 'text' | 'time' | 'json' | 'flag';

/**
 * The columns whose values the audit log keeps. No column with a secret, a credential or what derives from one may be
 * here: the log outlives them and more people read it.
 */
const recordedColumns: Readonly<Partial<Record<IdKind, Readonly<Record<string, Form>>>>> = {
  member: { name: 'text', starts_at: 'time', ends_at: 'time', language: 'text', tag_ids: 'json', is_deleted: 'flag' },
  member_group_association: { starts_at: 'time', ends_at: 'time' },
  member_group: { name: 'text', permissions: 'json', tag_ids: 'json' },
  schedule: { name: 'text', weekdays: 'json' },
  site: { name: 'text', timezone: 'text', phone: 'text', email: 'text', info: 'text', geo: 'json', tag_ids: 'json' },
  device: { name: 'text', site_id: 'text', input_rules: 'json', tag_ids: 'json' },
  gadget: { name: 'text', actions: 'json', states: 'json', signals: 'json', tag_ids: 'json' },
  gadget_trigger: {
    source_type: 'text',
    source_gadget_id: 'text',
    source_state_id: 'text',
    source_signal_id: 'text',
    source_schedule_id: 'text',
    source_schedule_event: 'text',
    target_gadget_id: 'text',
    target_action_id: 'text',
  },
  card: { name: 'text' },
  tag: { name: 'text', color: 'text' },
  webhook: { is_enabled: 'flag' },
  organization: { name: 'text', technicians_activate: 'flag', whitelabel: 'flag' },
  user: { email: 'text', role: 'text', site_ids: 'json' },
};

const toValue = (form: Form, value: unknown): unknown => {
  if (value === null || value === undefined) return null;
  if (form === 'time') return toDateTime(instant(value as number));
  if (form === 'json') return JSON.parse(value as string) as unknown;
  return form === 'flag' ? value === 1 : value;
};

const isEmpty = (value: unknown): boolean =>
  value === null || value === false || (Array.isArray(value) && value.length === 0);

/**
 * What differs between two rows of a kind, as far as the log may keep it. `before` is null for a new row, `after` for one
 * whose name would be gone with it.
 */
export const compareRows = (kind: string, before: object | null, after: object | null): RecordedChanges => {
  const columns = recordedColumns[kind as IdKind] ?? {};
  const changes = Object.entries(columns).flatMap(([column, form]) => {
    const [from, to] = [before, after].map(row => (row as Readonly<Record<string, unknown>> | null)?.[column] ?? null);
    const [old, now] = [toValue(form, from), toValue(form, to)];
    const isSame = before === null ? isEmpty(now) : after === null ? isEmpty(old) : from === to;
    return isSame ? [] : [[column, [old, now]] as const];
  });
  return Object.fromEntries(changes);
};
