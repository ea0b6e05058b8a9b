import type { ComponentChildren } from 'preact';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { Button } from '../../design/controls.tsx';
import { useMessages } from '../messages/language.ts';
import { type FieldLabels, SaveError } from './save-error.tsx';
import { useTypedInput } from './unsaved-input.tsx';
import { useSubmission } from './use-submission.ts';

interface FormDialogProps {
  readonly title: string;
  readonly submitLabel?: string;
  readonly isDisabled?: boolean;
  /** To show the new values if another user has changed them. */
  readonly fieldLabels?: FieldLabels;
  /** False if the caller shows a result instead. */
  readonly closesOnSuccess?: boolean;
  /** The dialog shows the reason when it fails. */
  readonly onSubmit: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A form in a dialog that saves through the API. */
export const FormDialog = (props: FormDialogProps) => {
  const { title, submitLabel, isDisabled = false, closesOnSuccess = true, fieldLabels = {} } = props;
  const { onSubmit, onClose, children } = props;
  const messages = useMessages();
  const { isBusy, error, submit } = useSubmission();
  const typed = useTypedInput();
  const cancel = (): void => typed.close(onClose);
  const save = (): Promise<void> =>
    submit(async () => {
      await onSubmit();
      if (closesOnSuccess) onClose();
    });
  return (
    <Dialog label={title} onClose={cancel}>
      <h2>{title}</h2>
      <Form
        isDisabled={isDisabled || isBusy}
        onSubmit={() => void save()}
        onInput={typed.onInput}
        submitLabel={submitLabel ?? messages.general.save}
      >
        {children}
        <SaveError error={error} labels={fieldLabels} />
      </Form>
      <Button onPress={cancel}>{messages.general.cancel}</Button>
    </Dialog>
  );
};
