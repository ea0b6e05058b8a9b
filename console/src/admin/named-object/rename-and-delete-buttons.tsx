import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { deleteIcon, editIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useMessages } from '../messages/language.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { RenameDialog } from './rename-dialog.tsx';

interface RenameAndDeleteProps {
  /** Of the object, below the organization. */
  readonly path: string;
  readonly name: string;
  readonly deleteTitle: string;
  readonly reload: () => Promise<unknown>;
  /** Also deletes what uses the object, which the children name. */
  readonly isDeletionForced?: boolean;
  /** What the deletion means. */
  readonly children: ComponentChildren;
}

/** Buttons of an object with a name. */
export const RenameAndDeleteButtons = ({
  path,
  name,
  deleteTitle,
  reload,
  isDeletionForced = false,
  children,
}: RenameAndDeleteProps) => {
  const { groups, general, stay } = useMessages();
  const { client } = useCurrentOrganization();
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null);
  const close = (): void => setDialog(null);
  const remove = async (): Promise<void> => {
    await client.delete(isDeletionForced ? `${path}?force=true` : path);
    await reload();
  };
  return (
    <>
      <Button icon={editIcon} onPress={() => setDialog('rename')}>
        {groups.rename}
      </Button>
      <Button icon={deleteIcon} variant="danger" onPress={() => setDialog('delete')}>
        {general.delete}
      </Button>
      {dialog === 'rename' ? (
        <RenameDialog title={groups.rename} label={stay.name} path={path} name={name} reload={reload} onClose={close} />
      ) : null}
      {dialog === 'delete' ? (
        <ConfirmDialog title={deleteTitle} confirmLabel={general.delete} isDangerous onConfirm={remove} onClose={close}>
          {children}
        </ConfirmDialog>
      ) : null}
    </>
  );
};
