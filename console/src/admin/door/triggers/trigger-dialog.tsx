import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import type { GadgetTriggerResponse } from '@lintel/wire-protocol/rest/gadget-trigger';
import type { ScheduleResponse } from '@lintel/wire-protocol/rest/schedule';
import { useState } from 'preact/hooks';
import { Dialog } from '../../../components/dialog.tsx';
import { Form } from '../../../components/form.tsx';
import { Button } from '../../../design/controls.tsx';
import { useOpenOrganization } from '../../api/open-organization.ts';
import { queryClient } from '../../api/query-client.ts';
import { describeError } from '../../components/describe-error.ts';
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
  const { triggers, general } = messages;
  const { id, client } = useOpenOrganization();
  const [form, setForm] = useState<GadgetTriggerFormValues>(
    trigger === null ? { source: door.id, event: '', target: door.id, action: '' } : toGadgetTriggerFormValues(trigger),
  );
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const events = listTriggerEventOptions(form.source, { doors, schedules }, messages);
  const actions = doors.find(({ id: gadgetId }) => gadgetId === form.target)?.actions ?? [];
  const event = events.find(one => one.id === form.event)?.id ?? events[0]?.id ?? '';
  const action = actions.find(one => one.id === form.action)?.id ?? actions[0]?.id ?? '';
  const change = (changes: Partial<typeof form>): void => {
    setError(null);
    setForm({ ...form, ...changes });
  };
  const save = async (): Promise<void> => {
    setBusy(true);
    const body = toGadgetTriggerRequestBody({ ...form, event, action });
    try {
      if (trigger === null) await client.post('/gadget_triggers', body);
      else await client.patch(`/gadget_triggers/${trigger.id}`, body);
      await queryClient.invalidateQueries({ queryKey: [id, 'gadget_trigger'] });
      onClose();
    } catch (problem) {
      setError(problem as Error);
      setBusy(false);
    }
  };
  const title = trigger === null ? triggers.add : triggers.edit;
  return (
    <Dialog label={title} onClose={onClose}>
      <h2>{title}</h2>
      <Form
        isDisabled={isBusy || event === '' || action === ''}
        onSubmit={() => void save()}
        submitLabel={general.save}
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
        {error === null ? null : (
          <p class="wrong" role="alert">
            {describeError(messages, error)}
          </p>
        )}
      </Form>
      <Button onPress={onClose}>{general.cancel}</Button>
    </Dialog>
  );
};
