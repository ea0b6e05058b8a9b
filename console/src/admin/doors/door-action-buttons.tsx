import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { useNotices } from '../components/notices.tsx';
import { useMessages } from '../messages/language.ts';

interface DoorActionsProps {
  readonly door: GadgetResponse;
  readonly isOnline: boolean;
  /** Whether the first action stands out. */
  readonly isEmphasized?: boolean;
}

/** Buttons for the actions of a door. Each asks first, because the door moves at once. */
export const DoorActionButtons = ({ door, isOnline, isEmphasized = false }: DoorActionsProps) => {
  const { doors } = useMessages();
  const { client, allows } = useCurrentOrganization();
  const notices = useNotices();
  const [asked, setAsked] = useState<GadgetResponse['actions'][number] | null>(null);
  if (!allows('gadgets.execute') || door.actions.length === 0) return null;
  const execute = async (action: GadgetResponse['actions'][number]): Promise<void> => {
    await client.post(`/gadgets/${door.id}/actions/${action.id}`);
    notices.show(doors.done(action.name, door.name));
  };
  return (
    <div class="bar">
      {door.actions.map((action, index) => (
        <Button
          key={action.id}
          {...(isEmphasized && index === 0 ? { variant: 'primary' as const } : {})}
          label={doors.open(action.name, door.name)}
          isDisabled={!isOnline}
          onPress={() => setAsked(action)}
        >
          {action.name}
        </Button>
      ))}
      {asked === null ? null : (
        <ConfirmDialog
          title={doors.confirmTitle(asked.name, door.name)}
          confirmLabel={doors.confirm(asked.name)}
          onConfirm={() => execute(asked)}
          onClose={() => setAsked(null)}
        >
          <p>{doors.confirmText}</p>
        </ConfirmDialog>
      )}
    </div>
  );
};
