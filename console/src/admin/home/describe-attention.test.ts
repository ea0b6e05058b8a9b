import { describe, expect, it } from 'vitest';
import { homeMessages as german } from '../messages/de/home.ts';
import { homeMessages as english } from '../messages/en/home.ts';
import { homeMessages as spanish } from '../messages/es/home.ts';
import { describeAttention } from './describe-attention.ts';

const languages = [english, german, spanish];
const inAll = (kind: string, fault: string | null) =>
  languages.map(messages => describeAttention(messages, { kind, fault, text: 'English text' }, 'Lobby'));

describe('describeAttention', () => {
  it('names a disk that is almost full', () => {
    expect(inAll('device_fault', 'disk_almost_full')).toEqual([
      'The disk of Lobby is almost full',
      'Der Speicher von Lobby ist fast voll',
      'El disco de Lobby está casi lleno',
    ]);
  });

  it('describes each kind of incident and fault in every language', () => {
    const incidents = Object.keys(english.incidents).map(kind => inAll('incident', kind));
    const faults = Object.keys(english.faults).map(code => inAll('device_fault', code));
    for (const texts of [...incidents, ...faults]) {
      expect(new Set(texts).size).toBe(languages.length);
      expect(texts).not.toContain('English text');
    }
    expect(Object.keys(german.faults)).toEqual(Object.keys(english.faults));
    expect(Object.keys(spanish.faults)).toEqual(Object.keys(english.faults));
    expect(Object.keys(german.incidents)).toEqual(Object.keys(english.incidents));
    expect(Object.keys(spanish.incidents)).toEqual(Object.keys(english.incidents));
  });

  it('names the kind of a part, and falls back to a general sentence', () => {
    expect(inAll('device_fault', 'reader:front')[0]).toBe('A reader of Lobby does not answer');
    expect(inAll('device_fault', 'new_fault')[0]).toBe('Lobby reports a fault');
    expect(inAll('new_kind', null)).toEqual(['English text', 'English text', 'English text']);
  });
});
