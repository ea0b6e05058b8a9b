import type { Failure } from '../link/answer.ts';
import * as frameWords from '../words/english/frame-words.ts';

/** What went wrong, for a person. The controller's own messages are made for one. */
export const failureWords = (failure: Failure): string =>
  failure.kind === 'offline' ? frameWords.notAnswering : failure.message;
