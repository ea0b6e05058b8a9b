import { describe, expect, it } from 'vitest';
import { adminMessages as german } from '../messages/de.ts';
import { adminMessages as english } from '../messages/en.ts';
import { adminMessages as spanish } from '../messages/es.ts';
import { describeAttentionItem } from './describe-attention-item.ts';

const languages = [english, german, spanish];
const inAll = (kind: string, fault: string | null) =>
  languages.map(messages => describeAttentionItem(messages, { kind, fault, text: 'English text' }, 'Lobby'));

describe('describeAttentionItem', () => {
  it('names a disk that is almost full', () => {
    expect(inAll('device_fault', 'disk_almost_full')).toEqual([
      'The disk of Lobby is almost full',
      'Der Speicher von Lobby ist fast voll',
      'El disco de Lobby está casi lleno',
    ]);
  });

  it('describes each kind of incident in every language', () => {
    for (const texts of Object.keys(english.home.incidents).map(kind => inAll('incident', kind))) {
      expect(new Set(texts).size).toBe(languages.length);
      expect(texts).not.toContain('English text');
    }
    expect(Object.keys(german.home.incidents)).toEqual(Object.keys(english.home.incidents));
    expect(Object.keys(spanish.home.incidents)).toEqual(Object.keys(english.home.incidents));
  });

  it('uses the sentences of alerts, and falls back to a general sentence', () => {
    expect(inAll('low_battery', null)[1]).toBe('Die Batterie von Lobby ist schwach');
    expect(inAll('device_fault', 'new_fault')[0]).toBe('Lobby reports a fault');
    expect(inAll('new_kind', null)).toEqual(['English text', 'English text', 'English text']);
  });
});
