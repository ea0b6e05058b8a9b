import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly label: string;
  /** Null for one that has to be answered. */
  readonly close: (() => void) | null;
  readonly children: ComponentChildren;
}

/** Above everything; what is below keeps its text and cannot be reached. */
export const Dialog = ({ label, close, children }: DialogProps) => {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      class="dialog card"
      aria-label={label}
      onCancel={event => {
        event.preventDefault();
        close?.();
      }}
    >
      {children}
    </dialog>
  );
};
