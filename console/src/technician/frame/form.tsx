import type { ComponentChildren } from 'preact';
import { Press } from '../../design/controls.tsx';

interface FormProps {
  readonly isOff: boolean;
  readonly send: () => void;
  /** On its button. */
  readonly words: string;
  readonly children: ComponentChildren;
}

/** Sent by its button, by Enter, and by the key of a phone's keyboard. */
export const Form = ({ isOff, send, words, children }: FormProps) => {
  const sendIfReady = (): void => {
    if (!isOff) send();
  };
  return (
    <form
      class="form"
      onSubmit={event => {
        event.preventDefault();
        sendIfReady();
      }}
    >
      {children}
      <Press look="primary" isOff={isOff} press={sendIfReady}>
        {words}
      </Press>
      <button type="submit" hidden />
    </form>
  );
};
