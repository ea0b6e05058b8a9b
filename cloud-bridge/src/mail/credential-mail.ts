import { formatMailTime } from './format-mail-time.ts';
import type { OutgoingMail } from './mail-sender.ts';
import { withoutLinks } from './without-links.ts';
import { type MailLanguage, selectMailLanguage } from './mail-language.ts';

export interface CredentialMailContent {
  readonly to: string;
  /** BCP 47; null if unknown. */
  readonly language: string | null;
  readonly memberName: string;
  readonly organizationName: string;
  readonly pins: readonly string[];
  readonly links: readonly string[];
  readonly doors: readonly string[];
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  /** Of the doors; null if unknown. */
  readonly timeZone: string | null;
}

interface MailTexts {
  readonly subject: (organization: string) => string;
  readonly greeting: (name: string) => string;
  readonly intro: (organization: string) => string;
  readonly pin: string;
  readonly link: string;
  readonly doors: (names: string) => string;
  readonly from: (time: string) => string;
  readonly until: (time: string) => string;
  readonly secret: string;
}

const texts: Readonly<Record<MailLanguage, MailTexts>> = {
  en: {
    subject: organization => `Your access to ${organization}`,
    greeting: name => (name === '' ? 'Hello,' : `Hello ${name},`),
    intro: organization => `This is your access to ${organization}.`,
    pin: 'Your PIN. Type it at the keypad of the door:',
    link: 'Your link. Open it on your phone to open doors:',
    doors: names => `Doors: ${names}`,
    from: time => `Valid from: ${time}`,
    until: time => `Valid until: ${time}`,
    secret: 'Do not forward this message. It opens doors.',
  },
  de: {
    subject: organization => `Ihr Zugang zu ${organization}`,
    greeting: name => (name === '' ? 'Guten Tag,' : `Guten Tag ${name},`),
    intro: organization => `das ist Ihr Zugang zu ${organization}.`,
    pin: 'Ihre PIN. Geben Sie sie an der Tastatur der Tür ein:',
    link: 'Ihr Link. Öffnen Sie ihn auf dem Telefon, um Türen zu öffnen:',
    doors: names => `Türen: ${names}`,
    from: time => `Gültig ab: ${time}`,
    until: time => `Gültig bis: ${time}`,
    secret: 'Leiten Sie diese Nachricht nicht weiter. Mit ihr lassen sich Türen öffnen.',
  },
  es: {
    subject: organization => `Tu acceso a ${organization}`,
    greeting: name => (name === '' ? 'Hola:' : `Hola, ${name}:`),
    intro: organization => `Este es tu acceso a ${organization}.`,
    pin: 'Tu PIN. Escríbelo en el teclado de la puerta:',
    link: 'Tu enlace. Ábrelo en el teléfono para abrir puertas:',
    doors: names => `Puertas: ${names}`,
    from: time => `Válido desde: ${time}`,
    until: time => `Válido hasta: ${time}`,
    secret: 'No reenvíes este mensaje. Con él se abren puertas.',
  },
};

/** The message that gives a member its PINs and magic links. */
export const composeCredentialMail = (mail: CredentialMailContent): OutgoingMail => {
  const language = selectMailLanguage(mail.language);
  const { subject, ...text } = texts[language];
  const secrets = (label: string, values: readonly string[]): readonly string[] =>
    values.length === 0 ? [] : [label, '', ...values.map(value => `    ${value}`), ''];
  const details = [
    ...(mail.doors.length === 0
      ? []
      : [text.doors(new Intl.ListFormat(language).format(mail.doors.map(withoutLinks)))]),
    ...(mail.startsAt === null ? [] : [text.from(formatMailTime(mail.startsAt, language, mail.timeZone))]),
    ...(mail.endsAt === null ? [] : [text.until(formatMailTime(mail.endsAt, language, mail.timeZone))]),
  ];
  const lines = [
    text.greeting(withoutLinks(mail.memberName)),
    '',
    text.intro(withoutLinks(mail.organizationName)),
    '',
    ...secrets(text.pin, mail.pins),
    ...secrets(text.link, mail.links),
    ...details,
    ...(details.length === 0 ? [] : ['']),
    text.secret,
  ];
  return { to: mail.to, subject: subject(withoutLinks(mail.organizationName)), text: `${lines.join('\n')}\n` };
};
