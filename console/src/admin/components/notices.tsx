import { createContext, type ComponentChildren } from 'preact';
import { useContext, useRef, useState } from 'preact/hooks';
import { useMessages } from '../messages/language.ts';
import { describeAdminError } from './describe-admin-error.ts';

interface Notice {
  readonly text: string;
  readonly isError: boolean;
}

interface Notices {
  show(text: string, isError?: boolean): void;
  showError(error: Error): void;
}

const NoticesContext = createContext<Notices | null>(null);
const NOTICE_MS = 6_000;

/** Shows short messages above the page and announces them to screen readers. */
export const NoticesProvider = ({ children }: { readonly children: ComponentChildren }) => {
  const messages = useMessages();
  const [notice, setNotice] = useState<Notice | null>(null);
  const timer = useRef(0);
  const show = (shown: Notice): void => {
    clearTimeout(timer.current);
    setNotice(shown);
    timer.current = window.setTimeout(() => setNotice(null), NOTICE_MS);
  };
  const notices: Notices = {
    show: (text, isError = false) => show({ text, isError }),
    showError: error => show({ text: describeAdminError(messages, error), isError: true }),
  };
  return (
    <NoticesContext.Provider value={notices}>
      {children}
      <p class="notice" role="status" data-is-error={notice?.isError === true ? '' : undefined}>
        {notice?.text}
      </p>
    </NoticesContext.Provider>
  );
};

export const useNotices = (): Notices => {
  const notices = useContext(NoticesContext);
  if (notices === null) throw new Error('NoticesProvider is missing');
  return notices;
};
