import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { useNotices } from '../components/notices.tsx';
import { useMessages } from '../messages/language.ts';

const UNLOCK = 'unlock';
const LOCK = 'lock';

interface DoorActionsProps {
  readonly door: GadgetResponse;
  readonly isOnline: boolean;
  /** Whether the first action stands out. */
  readonly isEmphasized?: boolean;
  /** The door stays unlocked: locking it comes first and stands out. */
  readonly isLockFirst?: boolean;
  /** Default: all actions of the door. */
  readonly limit?: number;
}

/** Buttons for the actions of a door. Each asks first, because the door moves at once. */
export const DoorActionButtons = ({
  door,
  isOnline,
  isEmphasized = false,
  isLockFirst = false,
  limit = door.actions.length,
}: DoorActionsProps) => {
  const { doors } = useMessages();
  const { client, allows } = useCurrentOrganization();
  const notices = useNotices();
  const [asked, setAsked] = useState<GadgetResponse['actions'][number] | null>(null);
  if (!allows('gadgets.execute') || door.actions.length === 0) return null;
  const lock = isLockFirst ? door.actions.filter(({ id }) => id === LOCK) : [];
  const actions = [...lock, ...door.actions.filter(action => !lock.includes(action))].slice(0, limit);
  const execute = async (action: GadgetResponse['actions'][number]): Promise<void> => {
    await client.post(`/gadgets/${door.id}/actions/${action.id}`);
    notices.show(doors.done(action.name, door.name));
  };
  return (
    <div class="bar">
      {actions.map((action, index) => (
        <Button
          key={action.id}
          {...((isEmphasized || lock.length > 0) && index === 0 ? { variant: 'primary' as const } : {})}
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
          {asked.id === UNLOCK ? <p>{doors.confirmStays}</p> : null}
          <p>{doors.confirmText}</p>
        </ConfirmDialog>
      )}
    </div>
  );
};
