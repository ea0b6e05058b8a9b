import type { TechnicianApiError } from './api-result.ts';
import * as shellMessages from '../messages/english/shell.ts';

export const describeTechnicianApiError = (error: TechnicianApiError): string =>
  error.kind === 'offline' ? shellMessages.controllerNotRespondingText : error.message;
