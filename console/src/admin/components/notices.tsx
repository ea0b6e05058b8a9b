import { createContext, type ComponentChildren } from 'preact';
import { useContext, useRef, useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { undoIcon } from '../../design/icons.ts';
import { useMessages } from '../messages/language.ts';
import { describeAdminError } from './describe-admin-error.ts';

interface Notice {
  readonly text: string;
  readonly isError: boolean;
  readonly undo?: () => Promise<unknown>;
}

interface Notices {
  show(text: string, isError?: boolean): void;
  showError(error: Error): void;
  /** Says what was done, with a button that takes it back. */
  showUndo(text: string, undo: () => Promise<unknown>): void;
}

const NoticesContext = createContext<Notices | null>(null);
const NOTICE_MS = 6_000;
const UNDO_MS = 20_000;

/** Shows short messages above the page and announces them to screen readers. */
export const NoticesProvider = ({ children }: { readonly children: ComponentChildren }) => {
  const messages = useMessages();
  const [notice, setNotice] = useState<Notice | null>(null);
  const timer = useRef(0);
  const show = (shown: Notice): void => {
    clearTimeout(timer.current);
    setNotice(shown);
    timer.current = window.setTimeout(() => setNotice(null), shown.undo === undefined ? NOTICE_MS : UNDO_MS);
  };
  const notices: Notices = {
    show: (text, isError = false) => show({ text, isError }),
    showError: error => show({ text: describeAdminError(messages, error), isError: true }),
    showUndo: (text, undo) => show({ text, isError: false, undo }),
  };
  const undo = async (work: () => Promise<unknown>): Promise<void> => {
    show({ text: messages.general.undoing, isError: false });
    try {
      await work();
      show({ text: messages.general.undone, isError: false });
    } catch (error) {
      notices.showError(error as Error);
    }
  };
  const undoable = notice?.undo;
  return (
    <NoticesContext.Provider value={notices}>
      {children}
      <div class="notice" role="status" data-is-error={notice?.isError === true ? '' : undefined}>
        {notice?.text}
        {undoable === undefined ? null : (
          <Button icon={undoIcon} onPress={() => void undo(undoable)}>
            {messages.general.undo}
          </Button>
        )}
      </div>
    </NoticesContext.Provider>
  );
};

export const useNotices = (): Notices => {
  const notices = useContext(NoticesContext);
  if (notices === null) throw new Error('NoticesProvider is missing');
  return notices;
};
