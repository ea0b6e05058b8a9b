import { useMessages } from '../messages/language.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface DeleteDialogProps {
  readonly title: string;
  /** The consequences. */
  readonly text: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

export const DeleteDialog = ({ title, text, onConfirm, onClose }: DeleteDialogProps) => {
  const { general } = useMessages();
  return (
    <ConfirmDialog title={title} confirmLabel={general.delete} isDangerous onConfirm={onConfirm} onClose={onClose}>
      <p>{text}</p>
    </ConfirmDialog>
  );
};
