import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface PopoverProps {
  readonly label: string;
  readonly buttonClass?: string;
  readonly button: ComponentChildren;
  /** Receives a function that closes the panel. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button with a panel that closes on Escape and when the focus or a click leaves it. */
export const Popover = ({ label, buttonClass = 'button plain', button, children }: PopoverProps) => {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = (event: Event): void => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    const closeOnEscape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      opener.current?.focus();
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    document.addEventListener('keydown', closeOnEscape);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
      document.removeEventListener('keydown', closeOnEscape);
    };
  }, [isOpen]);
  return (
    <div class="popover" ref={root}>
      <button
        ref={opener}
        type="button"
        class={buttonClass}
        aria-label={label}
        aria-expanded={isOpen ? 'true' : 'false'}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen ? <div class="popover-panel card">{children(() => setOpen(false))}</div> : null}
    </div>
  );
};
