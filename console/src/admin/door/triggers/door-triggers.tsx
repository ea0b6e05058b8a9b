import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import type { GadgetTriggerResponse } from '@lintel/wire-protocol/rest/gadget-trigger';
import type { ScheduleResponse } from '@lintel/wire-protocol/rest/schedule';
import { useState } from 'preact/hooks';
import { Button } from '../../../design/controls.tsx';
import { addIcon, editIcon } from '../../../design/icons.ts';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { queryClient } from '../../api/query-client.ts';
import { useGadgets, useApiList } from '../../api/resource-hooks.ts';
import { DeleteButton } from '../../components/delete-button.tsx';
import { DeleteDialog } from '../../components/delete-dialog.tsx';
import { useMessages } from '../../messages/language.ts';
import { GadgetTriggerDialog } from './trigger-dialog.tsx';
import { describeGadgetTrigger } from './trigger-form-values.ts';

type OpenDialog =
  | { readonly kind: 'edit'; readonly trigger: GadgetTriggerResponse | null }
  | { readonly kind: 'delete'; readonly trigger: GadgetTriggerResponse };

const useTriggersOf = (gadgetId: string): readonly GadgetTriggerResponse[] => {
  const path = '/gadget_triggers';
  const { data: from = [] } = useApiList<GadgetTriggerResponse>('gadget_trigger', path, { source_gadget_id: gadgetId });
  const { data: to = [] } = useApiList<GadgetTriggerResponse>('gadget_trigger', path, { target_gadget_id: gadgetId });
  return [...from, ...to.filter(({ id }) => !from.some(other => other.id === id))];
};

/** The triggers that the door starts, and those that move it. */
export const DoorTriggersPanel = ({ door }: { readonly door: GadgetResponse }) => {
  const messages = useMessages();
  const { triggers: texts } = messages;
  const { id, client, allows } = useCurrentOrganization();
  const { data: gadgets = [] } = useGadgets();
  const { data: schedules = [] } = useApiList<ScheduleResponse>('schedule', '/schedules', {}, allows('schedules.read'));
  const triggers = useTriggersOf(door.id);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const canEdit = allows('gadget_triggers.write');
  const doors = gadgets.filter(({ site_id }) => site_id === door.site_id);
  const describe = (trigger: GadgetTriggerResponse): string =>
    describeGadgetTrigger(trigger, { doors, schedules }, messages);
  const remove = async ({ id: triggerId }: GadgetTriggerResponse): Promise<void> => {
    await client.delete(`/gadget_triggers/${triggerId}`);
    await queryClient.invalidateQueries({ queryKey: [id, 'gadget_trigger'] });
  };
  return (
    <section class="card panel" aria-labelledby="door-triggers">
      <h2 id="door-triggers">{texts.title}</h2>
      {triggers.length === 0 ? <p class="quiet">{texts.empty}</p> : null}
      <ul class="entry-list">
        {triggers.map(trigger => (
          <li key={trigger.id}>
            <span>{describe(trigger)}</span>
            {canEdit ? (
              <>
                <Button
                  icon={editIcon}
                  variant="plain"
                  label={`${texts.edit}: ${describe(trigger)}`}
                  onPress={() => setDialog({ kind: 'edit', trigger })}
                />
                <DeleteButton name={describe(trigger)} onPress={() => setDialog({ kind: 'delete', trigger })} />
              </>
            ) : null}
          </li>
        ))}
      </ul>
      {canEdit ? (
        <div class="bar">
          <Button icon={addIcon} onPress={() => setDialog({ kind: 'edit', trigger: null })}>
            {texts.add}
          </Button>
        </div>
      ) : null}
      {dialog?.kind === 'edit' ? (
        <GadgetTriggerDialog {...{ door, doors, schedules }} trigger={dialog.trigger} onClose={() => setDialog(null)} />
      ) : null}
      {dialog?.kind === 'delete' ? (
        <DeleteDialog
          title={texts.deleteTitle}
          text={describe(dialog.trigger)}
          onConfirm={() => remove(dialog.trigger)}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </section>
  );
};
