import type { AttentionItem } from '@lintel/wire-protocol/admin/attention';
import type { homeMessages as english } from '../messages/en/home.ts';

type HomeMessages = typeof english;

/** By code, or by its part before the colon, which names the kind of part. */
export const describeFault = ({ faults }: HomeMessages, code: string, name: string): string | undefined =>
  (faults[code] ?? faults[code.split(':')[0]!])?.(name);

/** One sentence in the user's language. English for what this version of the console does not know. */
export const describeAttention = (
  messages: HomeMessages,
  { kind, fault, text }: Pick<AttentionItem, 'kind' | 'fault' | 'text'>,
  name: string,
): string => {
  const byFault = fault === null ? undefined : (messages.incidents[fault] ?? describeFault(messages, fault, name));
  return byFault ?? messages.attentionKinds[kind]?.(name) ?? text;
};
