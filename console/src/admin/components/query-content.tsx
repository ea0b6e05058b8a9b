import type { QueryObserverResult } from '@tanstack/query-core';
import type { ComponentChildren } from 'preact';
import { ErrorNotice } from './load-error.tsx';
import { LoadingIndicator } from './loading-indicator.tsx';

interface QueryContentProps<T> {
  readonly query: QueryObserverResult<T>;
  readonly children: (data: T) => ComponentChildren;
}

/** Shows the data of a query, or that it is loading, or why it failed. Data of an earlier request stays visible. */
export const QueryContent = <T,>({ query, children }: QueryContentProps<T>) => {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  return <LoadingIndicator />;
};
