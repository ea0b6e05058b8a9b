import type { FastifyBaseLogger } from 'fastify';
import { type MailLanguage, selectMailLanguage } from '../mail/mail-language.ts';
import { withoutLinks } from '../mail/without-links.ts';
import { createMailSender, type MailOptions } from '../mail/mail-sender.ts';

interface LoginCodeMail {
  readonly to: string;
  readonly code: string;
  /** BCP 47; null if unknown. */
  readonly language: string | null;
  readonly organizationName: string;
}

/** Sends a login code to an email address. */
export type GuestLoginCodeMailer = (mail: LoginCodeMail) => Promise<void>;

interface MailTexts {
  readonly subject: (code: string) => string;
  readonly text: (code: string, organization: string) => string;
}

const english: MailTexts = {
  subject: code => `${code} is your code`,
  text: (code, organization) =>
    `Your code for the doors of ${organization}:\n\n    ${code}\n\nIt is valid for 10 minutes, on the page where you requested it.\nIf you did not request it, ignore this message. The doors cannot be opened without the code.\n`,
};

const spanish: MailTexts = {
  subject: code => `${code} es tu código`,
  text: (code, organization) =>
    `Tu código para las puertas de ${organization}:\n\n    ${code}\n\nSirve durante 10 minutos, en la página en la que lo has pedido.\nSi no lo has pedido tú, ignora este mensaje: sin el código no entra nadie.\n`,
};

const german: MailTexts = {
  subject: code => `${code} ist Ihr Code`,
  text: (code, organization) =>
    `Ihr Code für die Türen von ${organization}:\n\n    ${code}\n\nEr gilt 10 Minuten lang, auf der Seite, auf der Sie ihn angefordert haben.\nWenn Sie ihn nicht angefordert haben, ist nichts zu tun: ohne den Code kommt niemand hinein.\n`,
};

const texts: Readonly<Record<MailLanguage, MailTexts>> = { en: english, de: german, es: spanish };

const smtpMailer = (mail: MailOptions): GuestLoginCodeMailer => {
  const send = createMailSender(mail);
  return ({ to, code, language, organizationName }) => {
    const { subject, text } = texts[selectMailLanguage(language)];
    return send({ to, subject: subject(code), text: text(code, withoutLinks(organizationName)) });
  };
};

/** Logs at warning level, so that the code is visible at every usual log level. */
const logMailer =
  (log: FastifyBaseLogger): GuestLoginCodeMailer =>
  async ({ to, code }) =>
    log.warn({ email: to, code }, 'Login code of a guest. Set --smtp-url to send codes by email');

export const createGuestLoginCodeMailer = (mail: MailOptions | null, log: FastifyBaseLogger): GuestLoginCodeMailer =>
  mail === null ? logMailer(log) : smtpMailer(mail);
