import { describe, expect, it } from 'vitest';
import { adminMessages as german } from '../messages/de.ts';
import { adminMessages as english } from '../messages/en.ts';
import { adminMessages as spanish } from '../messages/es.ts';
import { describeAttentionItem, findAttentionItemPath } from './attention-item.ts';

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

const none = { rollout_id: null, webhook_id: null, oauth_application_id: null, gadget_id: null, device_id: null };

it.each([
  [{ gadget_id: 'gad_1', device_id: 'dev_1' }, '/doors/gad_1'],
  [{ device_id: 'dev_1' }, '/devices/dev_1'],
  [{ webhook_id: 'whk_1', oauth_application_id: 'app_1' }, '/developers/applications/app_1/webhooks/whk_1'],
  [{ rollout_id: 'rol_1', device_id: 'dev_1' }, '/updates/rol_1'],
  [{}, null],
])('leads from %j to %s', (given, path) => {
  expect(findAttentionItemPath({ ...none, ...given } as never)).toBe(path);
});
