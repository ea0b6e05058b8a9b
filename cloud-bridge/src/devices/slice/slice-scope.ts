import { hash } from 'node:crypto';
import { canonicalText } from '@lintel/wire-protocol/mqtt/slice-digest';
import type { SliceScope } from '../sessions.ts';
import { type EntryText, keyOf } from './slice-hashes.ts';
import type { DeviceStructure } from './structure-entries.ts';

const SHORT = 16;

const textsOf = ({ entries }: DeviceStructure): EntryText[] =>
  entries.map(entry => ({ type: entry.type, id: entry.id, text: canonicalText(entry) }));

export const scopeOf = (own: DeviceStructure): { readonly scope: SliceScope; readonly texts: readonly EntryText[] } => {
  const texts = textsOf(own);
  const structure = new Map(texts.map(entry => [keyOf(entry), hash('sha256', entry.text).slice(0, SHORT)]));
  return { scope: { groups: own.groups, structure }, texts };
};

export const writeScope = ({ groups, structure }: SliceScope): string =>
  JSON.stringify({ groups: [...groups], structure: Object.fromEntries(structure) });

export const readScope = (text: string): SliceScope => {
  const { groups, structure } = JSON.parse(text) as { groups: string[]; structure: Record<string, string> };
  return { groups: new Set(groups), structure: new Map(Object.entries(structure)) };
};
