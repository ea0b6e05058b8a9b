import { describe, expect, it } from 'vitest';
import { alertKinds } from './alert-kinds.ts';
import { type AlertDetails, describeAlert, describeFault } from './describe-alert.ts';
import { faultKinds } from './fault-kinds.ts';
import { englishAlertTexts } from './texts/english.ts';
import { germanAlertTexts } from './texts/german.ts';
import { spanishAlertTexts } from './texts/spanish.ts';

const languages = [englishAlertTexts, germanAlertTexts, spanishAlertTexts];
const none: AlertDetails = { name: 'Lobby', fault: null, message: null, count: null, minutes: null, percent: null };

describe('describeAlert', () => {
  it('describes a fault in each language', () => {
    const details = { ...none, fault: 'disk_almost_full', message: 'The disk is almost full (91 %)' };
    expect(languages.map(texts => describeAlert(texts, 'device_fault', details))).toEqual([
      'The disk of Lobby is almost full',
      'Der Speicher von Lobby ist fast voll',
      'El disco de Lobby está casi lleno',
    ]);
  });

  it('uses the message of the device for a fault that it does not know', () => {
    const details = { ...none, fault: 'new_fault', message: 'Something is wrong' };
    expect(describeAlert(germanAlertTexts, 'device_fault', details)).toBe('Lobby: Something is wrong');
    expect(describeAlert(germanAlertTexts, 'device_fault', { ...details, message: null })).toBe(
      'Lobby meldet eine Störung',
    );
  });

  it('names numbers where it knows them', () => {
    const denials = { ...none, count: 3, minutes: 10 };
    expect(describeAlert(germanAlertTexts, 'many_denials', denials)).toBe(
      'Lobby hat in 10 min 3-mal den Zugang verweigert',
    );
    expect(describeAlert(spanishAlertTexts, 'low_battery', { ...none, percent: 12 })).toBe(
      'La batería de Lobby está baja (12 %)',
    );
    expect(describeAlert(englishAlertTexts, 'low_battery', none)).toBe('The battery of Lobby is low');
  });
});

describe('the texts of each language', () => {
  const facts = [
    none,
    { ...none, count: 1, minutes: 5, percent: 9, site: 'Main', user: 'Ann', waits: true },
    { ...none, count: 3, minutes: 5, percent: 9, site: 'Main', user: null, waits: false },
  ];

  it.each(alertKinds)('describe %s differently, with what is known', kind => {
    for (const details of facts) {
      const sentences = languages.map(texts => describeAlert(texts, kind, details));
      expect(new Set(sentences).size).toBe(languages.length);
      for (const sentence of sentences) expect(sentence).not.toMatch(/null|undefined|NaN/);
    }
  });

  it('say where a controller was claimed, by whom, and that it waits', () => {
    const details = { ...none, site: 'Main', user: 'Ann', waits: true };
    for (const texts of languages) {
      const waiting = describeAlert(texts, 'device_claimed', details);
      expect(waiting).toMatch(/Lobby.*Main.*Ann/);
      expect(describeAlert(texts, 'device_claimed', { ...details, waits: false }).length).toBeLessThan(waiting.length);
    }
  });
});

describe('describeFault', () => {
  it('describes every kind of fault differently in each language', () => {
    for (const kind of faultKinds)
      expect(new Set(languages.map(texts => describeFault(texts, kind, 'Lobby'))).size).toBe(languages.length);
  });

  it('names the part, but no id and no file', () => {
    expect(describeFault(englishAlertTexts, 'reader:front', 'Lobby')).toBe('A reader of Lobby does not answer (front)');
    expect(describeFault(englishAlertTexts, 'state:time_floor', 'Lobby')).toBe('Lobby cannot save its state');
    expect(describeFault(englishAlertTexts, 'new_fault', 'Lobby')).toBeUndefined();
  });
});
