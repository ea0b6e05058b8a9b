import type { ComponentChildren } from 'preact';
import { Dialog } from '../../components/dialog.tsx';
import { Button } from '../../design/controls.tsx';
import { SaveError } from './save-error.tsx';
import { useSubmission } from './use-submission.ts';
import { DialogButtons } from './dialog-buttons.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  readonly confirmLabel: string;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  /** The dialog closes when it succeeds, and shows the reason when it fails. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Asks before an action that cannot be undone or that moves a door. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { isBusy, error, submit } = useSubmission();
  const confirm = (): Promise<void> =>
    submit(async () => {
      await props.onConfirm();
      props.onClose();
    });
  return (
    <Dialog label={props.title} onClose={props.onClose}>
      <h2>{props.title}</h2>
      <div>{props.children}</div>
      <SaveError error={error} />
      <DialogButtons label="cancel" onClose={props.onClose}>
        <Button
          variant={props.isDangerous === true ? 'danger' : 'primary'}
          isDisabled={isBusy || props.isDisabled === true}
          onPress={() => void confirm()}
        >
          {props.confirmLabel}
        </Button>
      </DialogButtons>
    </Dialog>
  );
};
