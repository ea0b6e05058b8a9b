import {
  InfiniteQueryObserver,
  type InfiniteData,
  type InfiniteQueryObserverOptions,
  type InfiniteQueryObserverResult,
  QueryObserver,
  type QueryObserverOptions,
  type QueryObserverResult,
} from '@tanstack/query-core';
import { useEffect, useReducer, useState } from 'preact/hooks';
import { queryClient } from './query-client.ts';

interface Observer<O, R> {
  setOptions(options: O): void;
  subscribe(listener: () => void): () => void;
  getOptimisticResult(options: never): R;
}

/** Renders again whenever the observed query changes. */
const useObserver = <O extends object, R>(create: () => Observer<O, R>, options: O): R => {
  const [observer] = useState(create);
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  // A query that is about to load counts as loading, so that no screen shows "nothing found" for a moment.
  const defaulted = { ...queryClient.defaultQueryOptions(options as never), _optimisticResults: 'optimistic' };
  const result = observer.getOptimisticResult(defaulted as never);
  useEffect(() => observer.subscribe(() => renderAgain(undefined)), [observer]);
  useEffect(() => observer.setOptions(options));
  return result;
};

/** Loads data, keeps it in the cache and renders again when it changes. */
export const useQuery = <T>(options: QueryObserverOptions<T>): QueryObserverResult<T> =>
  useObserver<QueryObserverOptions<T>, QueryObserverResult<T>>(
    () => new QueryObserver<T>(queryClient, options),
    options,
  );

export type PagedQueryOptions<T> = InfiniteQueryObserverOptions<
  T,
  Error,
  InfiniteData<T>,
  readonly unknown[],
  string | null
>;

/** As `useQuery`, for a list that is loaded page by page. */
export const useInfiniteQuery = <T>(options: PagedQueryOptions<T>): InfiniteQueryObserverResult<InfiniteData<T>> =>
  useObserver<PagedQueryOptions<T>, InfiniteQueryObserverResult<InfiniteData<T>>>(
    () => new InfiniteQueryObserver(queryClient, options),
    options,
  );
