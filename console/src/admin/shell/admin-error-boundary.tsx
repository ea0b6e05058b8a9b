import { useLocation } from 'preact-iso/router';
import type { ComponentChildren } from 'preact';
import { ErrorBoundary } from '../../components/error-boundary.tsx';
import { useMessages } from '../messages/language.ts';

export const AdminErrorBoundary = ({ children }: { readonly children: ComponentChildren }) => {
  const { general } = useMessages();
  const { path } = useLocation();
  return (
    <ErrorBoundary texts={general.pageError} screen={path}>
      {children}
    </ErrorBoundary>
  );
};
