import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import type { AdminMessages } from './en.ts';
import { standardPartNames } from './en/part-names.ts';

interface Part {
  readonly id: string;
  readonly name: string;
}

export type PartKind = keyof typeof standardPartNames;

/** The name in the language of the page if it is the one of the shipped profiles; own names stay as they are. */
export const namePart = (kind: PartKind, { id, name }: Part, { parts }: Pick<AdminMessages, 'parts'>): string => {
  const standard: Readonly<Record<string, string>> = standardPartNames[kind];
  const translated: Readonly<Record<string, string>> = parts[kind];
  return standard[id] === name ? (translated[id] ?? name) : name;
};

type WithParts = Pick<GadgetResponse, PartKind>;

/** Only for display: sending these names back would store the translation. */
export const withPartNames = <T extends WithParts>(gadget: T, messages: Pick<AdminMessages, 'parts'>): T => {
  const translate = (kind: PartKind) => gadget[kind].map(part => ({ ...part, name: namePart(kind, part, messages) }));
  return { ...gadget, actions: translate('actions'), states: translate('states'), signals: translate('signals') };
};
