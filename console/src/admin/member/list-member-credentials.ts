import { cardIcon, keypadIcon, linkIcon, mailIcon, phoneIcon } from '../../design/icons.ts';
import type { AdminMessages } from '../messages/en.ts';
import type { ExpandedMember } from './member-hooks.ts';

export interface MemberCredentialSummary {
  readonly id: string;
  readonly kind: 'member_pin' | 'member_magic_link' | 'member_card' | 'member_email' | 'member_token';
  readonly label: string;
  readonly icon: string;
  /** Path of the credential below the organization. */
  readonly path: string;
  /** The field of the response that contains the secret; null if it cannot be shown again. */
  readonly revealedField: 'pin' | 'link' | null;
}

export const listMemberCredentials = (
  data: ExpandedMember,
  { member: texts }: AdminMessages,
  formatTime: (iso: string) => string,
): readonly MemberCredentialSummary[] => {
  const base = `/members/${data.id}`;
  return [
    ...data.pins.map(({ id, length }) => ({
      id,
      kind: 'member_pin' as const,
      label: texts.pin(length),
      icon: keypadIcon,
      path: `${base}/pins/${id}`,
      revealedField: 'pin' as const,
    })),
    ...data.magic_links.map(({ id, created_at }) => ({
      id,
      kind: 'member_magic_link' as const,
      // Otherwise several could not be told apart.
      label: data.magic_links.length < 2 ? texts.magicLink : texts.magicLinkOf(formatTime(created_at)),
      icon: linkIcon,
      path: `${base}/magic_links/${id}`,
      revealedField: 'link' as const,
    })),
    ...data.cards.map(({ id, name, printed_code, uid }) => ({
      id,
      kind: 'member_card' as const,
      label: name || texts.cardNamed(printed_code ?? uid ?? ''),
      icon: cardIcon,
      path: `${base}/cards/${id}`,
      revealedField: null,
    })),
    ...data.emails.map(({ id, email }) => ({
      id,
      kind: 'member_email' as const,
      label: email,
      icon: mailIcon,
      path: `${base}/emails/${id}`,
      revealedField: null,
    })),
    ...data.tokens.map(({ id }) => ({
      id,
      kind: 'member_token' as const,
      label: texts.token,
      icon: phoneIcon,
      path: `${base}/tokens/${id}`,
      revealedField: null,
    })),
  ];
};
