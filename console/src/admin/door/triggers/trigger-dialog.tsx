import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import type { GadgetTriggerResponse } from '@lintel/wire-protocol/rest/gadget-trigger';
import type { ScheduleResponse } from '@lintel/wire-protocol/rest/schedule';
import { useState } from 'preact/hooks';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { queryClient } from '../../api/query-client.ts';
import { useObjectEdit } from '../../api/use-object-edit.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { GroupedSelectField } from '../../components/grouped-select-field.tsx';
import { useMessages } from '../../messages/language.ts';
import {
  listTriggerEventOptions,
  SCHEDULE_TRIGGER_SOURCE,
  toGadgetTriggerRequestBody,
  toGadgetTriggerFormValues,
  type GadgetTriggerFormValues,
} from './trigger-form-values.ts';

interface TriggerDialogProps {
  readonly door: GadgetResponse;
  /** The doors of the site. */
  readonly doors: readonly GadgetResponse[];
  readonly schedules: readonly ScheduleResponse[];
  /** Null for a new trigger. */
  readonly trigger: GadgetTriggerResponse | null;
  readonly onClose: () => void;
}

/** What starts the trigger, and what it does. The bridge explains a combination that it rejects. */
export const GadgetTriggerDialog = ({ door, doors, schedules, trigger, onClose }: TriggerDialogProps) => {
  const messages = useMessages();
  const { triggers } = messages;
  const { id, client } = useCurrentOrganization();
  const [form, setForm] = useState<GadgetTriggerFormValues>(
    trigger === null ? { source: door.id, event: '', target: door.id, action: '' } : toGadgetTriggerFormValues(trigger),
  );
  const edit = useObjectEdit(trigger);
  const events = listTriggerEventOptions(form.source, { doors, schedules }, messages);
  const actions = doors.find(({ id: gadgetId }) => gadgetId === form.target)?.actions ?? [];
  const event = events.find(one => one.id === form.event)?.id ?? events[0]?.id ?? '';
  const action = actions.find(one => one.id === form.action)?.id ?? actions[0]?.id ?? '';
  const change = (changes: Partial<typeof form>): void => setForm({ ...form, ...changes });
  const save = async (): Promise<void> => {
    const body = toGadgetTriggerRequestBody({ ...form, event, action });
    if (trigger === null) await client.post('/gadget_triggers', body);
    else await edit(`/gadget_triggers/${trigger.id}`, body);
    await queryClient.invalidateQueries({ queryKey: [id, 'gadget_trigger'] });
  };
  return (
    <FormDialog
      title={trigger === null ? triggers.add : triggers.edit}
      isDisabled={event === '' || action === ''}
      onSubmit={save}
      onClose={onClose}
    >
      <fieldset class="form">
        <legend>{triggers.when}</legend>
        <GroupedSelectField
          id="trigger-source"
          label={triggers.source}
          value={form.source}
          options={[
            ...doors,
            ...(schedules.length === 0 ? [] : [{ id: SCHEDULE_TRIGGER_SOURCE, name: triggers.schedule }]),
          ]}
          onChange={source => change({ source })}
        />
        <GroupedSelectField
          id="trigger-event"
          label={triggers.event}
          value={event}
          options={events}
          hint={events.length === 0 ? triggers.noEvents : ''}
          onChange={value => change({ event: value })}
        />
      </fieldset>
      <fieldset class="form">
        <legend>{triggers.effect}</legend>
        <GroupedSelectField
          id="trigger-target"
          label={triggers.target}
          value={form.target}
          options={doors}
          onChange={target => change({ target })}
        />
        <GroupedSelectField
          id="trigger-action"
          label={triggers.action}
          value={action}
          options={actions}
          onChange={value => change({ action: value })}
        />
      </fieldset>
    </FormDialog>
  );
};
