import { useState } from 'preact/hooks';
import { FormField } from '../../components/form-field.tsx';
import { FormDialog } from './form-dialog.tsx';
import type { FieldLabels } from './save-error.tsx';

interface TextDialogProps {
  readonly title: string;
  readonly label: string;
  readonly initial?: string;
  readonly inputMode?: 'text' | 'email';
  readonly fieldLabels?: FieldLabels;
  readonly onSubmit: (text: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for one line of text. */
export const TextInputDialog = (props: TextDialogProps) => {
  const { title, label, initial = '', inputMode = 'text', fieldLabels = {}, onSubmit, onClose } = props;
  const [text, setText] = useState(initial);
  return (
    <FormDialog
      title={title}
      isDisabled={text.trim() === ''}
      fieldLabels={fieldLabels}
      onSubmit={() => onSubmit(text.trim())}
      onClose={onClose}
    >
      <FormField id="dialog-text" label={label}>
        {field => (
          <input
            {...field}
            inputMode={inputMode}
            value={text}
            maxLength={200}
            autocomplete="off"
            onInput={event => setText(event.currentTarget.value)}
          />
        )}
      </FormField>
    </FormDialog>
  );
};
