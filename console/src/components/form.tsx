import type { ComponentChildren } from 'preact';
import { Button } from '../design/controls.tsx';

interface FormProps {
  readonly isDisabled: boolean;
  readonly onSubmit: () => void;
  readonly submitLabel: string;
  /** Something was typed or chosen. */
  readonly onInput?: () => void;
  readonly children: ComponentChildren;
}

/** Submitted by its button, by Enter and by the send key of a phone. */
export const Form = ({ isDisabled, onSubmit, submitLabel, onInput, children }: FormProps) => {
  const submit = (): void => {
    if (!isDisabled) onSubmit();
  };
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
      <Button variant="primary" isDisabled={isDisabled} onPress={submit}>
        {submitLabel}
      </Button>
      <button type="submit" hidden />
    </form>
  );
};
