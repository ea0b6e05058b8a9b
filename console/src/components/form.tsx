import type { ComponentChildren } from 'preact';
import { Button } from '../design/controls.tsx';

interface FormProps {
  readonly isDisabled: boolean;
  readonly onSubmit: () => void;
  readonly submitLabel: string;
  /** In a dialog: buttons before the one that submits, on the same line. */
  readonly cancel?: ComponentChildren;
  /** Something was typed or chosen. */
  readonly onInput?: () => void;
  readonly children: ComponentChildren;
}

/** Submitted by its button, by Enter and by the send key of a phone. */
export const Form = ({ isDisabled, onSubmit, submitLabel, cancel, onInput, children }: FormProps) => {
  const submit = (): void => {
    if (!isDisabled) onSubmit();
  };
  const button = (
    <Button variant="primary" isDisabled={isDisabled} onPress={submit}>
      {submitLabel}
    </Button>
  );
  return (
    <form
      class="form"
      onInput={onInput}
      onSubmit={event => {
        event.preventDefault();
        submit();
      }}
    >
      {children}
      {cancel === undefined ? (
        button
      ) : (
        <div class="dialog-buttons">
          {cancel}
          {button}
        </div>
      )}
      <button type="submit" hidden />
    </form>
  );
};
