import { Button } from '../../design/controls.tsx';
import { useMessages } from '../messages/language.ts';
import { describeAdminError } from './describe-admin-error.ts';
import { EmptyState } from './empty-state.tsx';
import { faultIcon } from '../../design/icons.ts';

interface ErrorNoticeProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

/** Replaces content that could not be loaded. */
export const ErrorNotice = ({ error, onRetry }: ErrorNoticeProps) => {
  const messages = useMessages();
  return (
    <div role="alert">
      <EmptyState icon={faultIcon} title={messages.general.loadFailed} text={describeAdminError(messages, error)}>
        <Button onPress={onRetry}>{messages.general.tryAgain}</Button>
      </EmptyState>
    </div>
  );
};
