import { type AlertKind, alertKinds } from '@lintel/access-core/alerts/alert-kinds';
import { type AlertTexts, describeAlert } from '@lintel/access-core/alerts/describe-alert';
import type { AlertResponse } from '@lintel/wire-protocol/admin/alert-rules-and-alerts';

const isKnown = (kind: string): kind is AlertKind => (alertKinds as readonly string[]).includes(kind);

/** In the user's language. The text of the bridge if this version of the console does not know the kind. */
export const describeAlertResponse = (
  texts: AlertTexts,
  { kind, text, details }: Pick<AlertResponse, 'kind' | 'text' | 'details'>,
): string => (details === null || !isKnown(kind) ? text : describeAlert(texts, kind, details));
