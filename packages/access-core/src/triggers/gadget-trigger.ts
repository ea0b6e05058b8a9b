import { refersToNothing } from '../problem-texts.ts';
import { FieldReader } from '../untrusted-field-reader.ts';
import type { GadgetId, GadgetTriggerId, ScheduleId, SiteId } from '../ids.ts';
import { MAX_GADGET_PART_ID_LENGTH } from '../max-gadget-part-id-length.ts';
import type { Result } from '../result.ts';

export type ScheduleTransition = 'enter' | 'exit';

type TriggerSource =
  | { readonly source_type: 'state'; readonly source_gadget_id: GadgetId; readonly source_state_id: string }
  | { readonly source_type: 'signal'; readonly source_gadget_id: GadgetId; readonly source_signal_id: string }
  | {
      readonly source_type: 'schedule';
      /** A schedule needs no gadget; if one is named, it must belong to the target's site. */
      readonly source_gadget_id: GadgetId | null;
      readonly source_schedule_id: ScheduleId;
      readonly source_schedule_event: ScheduleTransition;
    };

/** The user input; `site_id` follows from the target. */
export type TriggerDefinition = TriggerSource & {
  readonly site_id: SiteId;
  readonly target_gadget_id: GadgetId;
  readonly target_action_id: string;
};

export type GadgetTrigger = TriggerDefinition & { readonly id: GadgetTriggerId; readonly is_deleted: boolean };

export interface TriggerGadget {
  readonly site_id: SiteId;
  readonly action_ids: readonly string[];
  readonly state_ids: readonly string[];
  readonly signal_ids: readonly string[];
}

/** Returns only objects of the organization that are not deleted. */
export interface TriggerLookups {
  gadget(id: GadgetId): TriggerGadget | undefined;
  hasSchedule(id: ScheduleId): boolean;
  /** Why the source cannot reach the target within the site; null if it can. */
  localPathProblem(source: GadgetId, target: GadgetId): string | null;
}

const sourceFields = {
  state: ['source_state_id'],
  signal: ['source_signal_id'],
  schedule: ['source_schedule_id', 'source_schedule_event'],
} as const;
type SourceField = (typeof sourceFields)[keyof typeof sourceFields][number];

const FIELDS = [
  'source_type',
  'source_gadget_id',
  ...Object.values(sourceFields).flat(),
  'target_gadget_id',
  'target_action_id',
];

class TriggerReader extends FieldReader {
  readonly #lookups: TriggerLookups;

  constructor(input: unknown, path: string, lookups: TriggerLookups) {
    super(input, path, FIELDS);
    this.#lookups = lookups;
  }

  gadget(key: string): { readonly id: GadgetId; readonly gadget: TriggerGadget } | null {
    const id = this.id('gadget', key);
    if (id === null) return null;
    const gadget = this.#lookups.gadget(id);
    if (gadget !== undefined) return { id, gadget };
    this.refuse(key, 'unknown_reference', refersToNothing('gadget', id));
    return null;
  }

  schedule(key: string): ScheduleId | null {
    const id = this.id('schedule', key);
    if (id === null || this.#lookups.hasSchedule(id)) return id;
    this.refuse(key, 'unknown_reference', refersToNothing('schedule', id));
    return null;
  }

  /** `known` is undefined if the gadget itself was rejected: then only the format is checked. */
  nameAmong(key: string, what: string, known: readonly string[] | undefined): string | null {
    const value = this.get(key);
    const formed = typeof value === 'string' && value !== '' && value.length <= MAX_GADGET_PART_ID_LENGTH;
    if (formed && (known === undefined || known.includes(value))) return value;
    this.refuse(key, 'unknown_reference', `must be ${what} of the gadget`);
    return null;
  }

  /** A field of another source type may be null, as in the API, but not set. */
  refuseForeign(source_type: keyof typeof sourceFields): void {
    const own: readonly SourceField[] = sourceFields[source_type];
    for (const key of Object.values(sourceFields).flat())
      if (!own.includes(key) && this.isSet(key))
        this.refuse(key, 'not_allowed', `must not be set when 'source_type' is ${source_type}`);
  }
}

const readSource = (
  fields: TriggerReader,
  source_type: keyof typeof sourceFields,
  source: { readonly id: GadgetId; readonly gadget: TriggerGadget } | null,
): TriggerSource | null => {
  if (source_type === 'schedule') {
    const source_schedule_id = fields.schedule('source_schedule_id');
    const source_schedule_event = fields.oneOf('source_schedule_event', ['enter', 'exit']);
    const source_gadget_id = source?.id ?? null;
    return source_schedule_id && { source_type, source_gadget_id, source_schedule_id, source_schedule_event };
  }
  if (source_type === 'state') {
    const source_state_id = fields.nameAmong('source_state_id', 'a state', source?.gadget.state_ids);
    return source && source_state_id ? { source_type, source_gadget_id: source.id, source_state_id } : null;
  }
  const source_signal_id = fields.nameAmong('source_signal_id', 'a signal', source?.gadget.signal_ids);
  return source && source_signal_id ? { source_type, source_gadget_id: source.id, source_signal_id } : null;
};

export const parseTriggerDefinition = (
  input: unknown,
  lookups: TriggerLookups,
  path = '',
): Result<TriggerDefinition> => {
  const fields = new TriggerReader(input, path, lookups);
  const target = fields.gadget('target_gadget_id');
  const target_action_id = fields.nameAmong('target_action_id', 'an action', target?.gadget.action_ids);
  const before = fields.problems.count;
  const source_type = fields.oneOf('source_type', ['state', 'signal', 'schedule']);
  if (fields.problems.count > before) return fields.problems.refusal();

  fields.refuseForeign(source_type);
  const needsGadget = source_type !== 'schedule' || fields.isSet('source_gadget_id');
  const source = needsGadget ? fields.gadget('source_gadget_id') : null;
  if (source !== null && target !== null) {
    if (source.gadget.site_id !== target.gadget.site_id)
      fields.refuse('target_gadget_id', 'other_site', 'must be a gadget of the same site as the source');
    else {
      const problem = lookups.localPathProblem(source.id, target.id);
      if (problem !== null) fields.refuse('target_gadget_id', 'no_local_path', problem);
    }
  }
  const definition = readSource(fields, source_type, source);
  if (definition === null || target === null || target_action_id === null) return fields.problems.refusal();
  const { site_id } = target.gadget;
  return fields.problems.resultOf({ ...definition, site_id, target_gadget_id: target.id, target_action_id });
};
