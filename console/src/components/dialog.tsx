import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly label: string;
  /** Null for a dialog that cannot be dismissed. */
  readonly onClose: (() => void) | null;
  readonly children: ComponentChildren;
}

/** Modal: the page below stays as it is and is not reachable. */
export const Dialog = ({ label, onClose, children }: DialogProps) => {
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
        onClose?.();
      }}
    >
      {children}
    </dialog>
  );
};
