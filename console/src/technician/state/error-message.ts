import type { ApiError } from '../api/api-result.ts';
import * as shellMessages from '../messages/english/shell.ts';

export const errorMessage = (error: ApiError): string =>
  error.kind === 'offline' ? shellMessages.notAnswering : error.message;
