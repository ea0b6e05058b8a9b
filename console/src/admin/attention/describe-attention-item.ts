import type { AlertKind } from '@lintel/access-core/alerts/alert-kinds';
import { describeFault, noAlertNumbers } from '@lintel/access-core/alerts/describe-alert';
import type { AttentionItem } from '@lintel/wire-protocol/admin/attention-items';
import type { AdminMessages } from '../messages/en.ts';

/** One sentence in the user's language. English for what this version of the console does not know. */
export const describeAttentionItem = (
  { home, alerts: { texts } }: Pick<AdminMessages, 'home' | 'alerts'>,
  { kind, fault, text }: Pick<AttentionItem, 'kind' | 'fault' | 'text'>,
  name: string,
): string => {
  const byFault = fault === null ? undefined : (home.incidents[fault] ?? describeFault(texts, fault, name));
  return byFault ?? home.attentionKinds[kind]?.(name) ?? texts.kinds[kind as AlertKind]?.(name, noAlertNumbers) ?? text;
};
