import { useState } from 'preact/hooks';
import { failureWords } from './failure-words.ts';
import type { Answer } from '../link/answer.ts';
import type { Request } from '../link/technician-api.ts';
import { useNotify, visit } from '../link/use-visit.ts';

/** One order at a time, and what is in its way said aloud. Answers null when it failed. */
export const useOrder = () => {
  const [isBusy, setBusy] = useState(false);
  const notify = useNotify();
  const order = async <T>(request: Request, explain?: (answer: Answer<T>) => string | null): Promise<T | null> => {
    if (isBusy) return null;
    setBusy(true);
    notify('');
    const answer = await visit.ask<T>(request);
    setBusy(false);
    if (answer.ok) return answer.value;
    notify(explain?.(answer) ?? failureWords(answer.failure), true);
    return null;
  };
  return { order, isBusy };
};
