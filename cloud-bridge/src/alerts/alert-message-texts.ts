import type { AlertTexts } from '@lintel/access-core/alerts/describe-alert';
import { englishAlertTexts } from '@lintel/access-core/alerts/texts/english';
import { germanAlertTexts } from '@lintel/access-core/alerts/texts/german';
import { spanishAlertTexts } from '@lintel/access-core/alerts/texts/spanish';
import type { MailLanguage } from '../mail/mail-language.ts';

interface AlertMessageTexts {
  readonly alerts: AlertTexts;
  readonly headlines: Readonly<Record<'raised' | 'resolved' | 'test', string>>;
  readonly testText: string;
  readonly organization: string;
  readonly rule: string;
  readonly since: string;
  readonly time: string;
}

export const alertMessageTextsByLanguage: Readonly<Record<MailLanguage, AlertMessageTexts>> = {
  en: {
    alerts: englishAlertTexts,
    headlines: { raised: 'Alert', resolved: 'Resolved', test: 'Test' },
    testText: 'This is a test message',
    organization: 'Organization',
    rule: 'Rule',
    since: 'Since',
    time: 'Time',
  },
  de: {
    alerts: germanAlertTexts,
    headlines: { raised: 'Alarm', resolved: 'Behoben', test: 'Test' },
    testText: 'Das ist eine Testnachricht',
    organization: 'Organisation',
    rule: 'Regel',
    since: 'Seit',
    time: 'Zeit',
  },
  es: {
    alerts: spanishAlertTexts,
    headlines: { raised: 'Alarma', resolved: 'Resuelto', test: 'Prueba' },
    testText: 'Este es un mensaje de prueba',
    organization: 'Organización',
    rule: 'Regla',
    since: 'Desde',
    time: 'Hora',
  },
};
