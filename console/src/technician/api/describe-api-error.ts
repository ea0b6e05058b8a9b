import { isTechnicianApiRejectionWith, type TechnicianApiError } from './api-result.ts';
import * as shellMessages from '../messages/english/shell.ts';

export const describeTechnicianApiError = (error: TechnicianApiError): string => {
  if (error.kind === 'offline') return shellMessages.controllerNotRespondingText;
  if (!isTechnicianApiRejectionWith(error, 403, 'missing_permission')) return error.message;
  return error.args['permission'] === 'gadgets.execute'
    ? shellMessages.openingNotPermittedText
    : shellMessages.operationNotPermittedText(error.message);
};
