import type { FastifyBaseLogger } from 'fastify';
import { type MailLanguage, selectMailLanguage } from '../mail/mail-language.ts';
import { withoutLinks } from '../mail/without-links.ts';
import { createMailSender, type MailOptions } from '../mail/mail-sender.ts';

interface LoginCodeMail {
  readonly to: string;
  readonly code: string;
  /** Signs in without the code being typed; null if the guest types it. */
  readonly link: string | null;
  /** BCP 47; null if unknown. */
  readonly language: string | null;
  readonly organizationName: string;
}

/** Gives a login code to the guest with an email address. */
export interface GuestLoginCodeMailer {
  /** False: the operator hands over the codes, and there are no links. */
  readonly canSendLinks: boolean;
  readonly send: (mail: LoginCodeMail) => Promise<void>;
}

interface MailTexts {
  readonly subject: (code: string) => string;
  readonly text: (code: string, organization: string) => string;
  readonly linkSubject: string;
  readonly linkText: (link: string, organization: string) => string;
}

const english: MailTexts = {
  subject: code => `${code} is your code`,
  text: (code, organization) =>
    `Your code for the doors of ${organization}:\n\n    ${code}\n\nIt is valid for 10 minutes, on the page where you requested it.\nIf you did not request it, ignore this message. The doors cannot be opened without the code.\n`,
  linkSubject: 'Your link to sign in',
  linkText: (link, organization) =>
    `Many codes for the doors of ${organization} were requested for your address, possibly by somebody else. To sign in now, open this link:\n\n    ${link}\n\nIt is valid for one hour and works once. Do not forward it.\nIf you do not want to sign in, ignore this message. The doors cannot be opened without the link.\n`,
};

const spanish: MailTexts = {
  subject: code => `${code} es tu código`,
  text: (code, organization) =>
    `Tu código para las puertas de ${organization}:\n\n    ${code}\n\nSirve durante 10 minutos, en la página en la que lo has pedido.\nSi no lo has pedido tú, ignora este mensaje: sin el código no entra nadie.\n`,
  linkSubject: 'Tu enlace para entrar',
  linkText: (link, organization) =>
    `Se han pedido muchos códigos para las puertas de ${organization} con tu dirección, quizá otra persona. Para entrar ahora, abre este enlace:\n\n    ${link}\n\nSirve durante una hora y una sola vez. No lo reenvíes.\nSi no quieres entrar, ignora este mensaje: sin el enlace no entra nadie.\n`,
};

const german: MailTexts = {
  subject: code => `${code} ist Ihr Code`,
  text: (code, organization) =>
    `Ihr Code für die Türen von ${organization}:\n\n    ${code}\n\nEr gilt 10 Minuten lang, auf der Seite, auf der Sie ihn angefordert haben.\nWenn Sie ihn nicht angefordert haben, ist nichts zu tun: ohne den Code kommt niemand hinein.\n`,
  linkSubject: 'Ihr Link zum Anmelden',
  linkText: (link, organization) =>
    `Für Ihre Adresse wurden viele Codes für die Türen von ${organization} angefordert, vielleicht von jemand anderem. Um sich jetzt anzumelden, öffnen Sie diesen Link:\n\n    ${link}\n\nEr gilt eine Stunde lang und nur einmal. Leiten Sie ihn nicht weiter.\nWenn Sie sich nicht anmelden wollen, ist nichts zu tun: ohne den Link kommt niemand hinein.\n`,
};

const texts: Readonly<Record<MailLanguage, MailTexts>> = { en: english, de: german, es: spanish };

const smtpMailer = (mail: MailOptions): GuestLoginCodeMailer => {
  const send = createMailSender(mail);
  return {
    canSendLinks: true,
    send: ({ to, code, link, language, organizationName: name }) => {
      const organizationName = withoutLinks(name);
      const { subject, text, linkSubject, linkText } = texts[selectMailLanguage(language)];
      return link === null
        ? send({ to, subject: subject(code), text: text(code, organizationName) })
        : send({ to, subject: linkSubject, text: linkText(link, organizationName) });
    },
  };
};

/** Where only the operator reads. */
export interface OperatorTerminal {
  write(text: string): unknown;
}

/** Codes are not in the log, because it can be shared and a code signs in as the guest. */
const terminalMailer = (terminal: OperatorTerminal | null, log: FastifyBaseLogger): GuestLoginCodeMailer => ({
  canSendLinks: false,
  send: async ({ to, code }) => {
    terminal?.write(`Login code of the guest ${to}: ${code}\n`);
    const where = terminal === null ? 'is not shown, because the bridge runs without a terminal' : 'is on the terminal';
    log.warn(
      { email: to },
      `A guest has requested a login code, which ${where}. Set --smtp-url to send codes by email`,
    );
  },
});

export const createGuestLoginCodeMailer = (
  mail: MailOptions | null,
  terminal: OperatorTerminal | null,
  log: FastifyBaseLogger,
): GuestLoginCodeMailer => (mail === null ? terminalMailer(terminal, log) : smtpMailer(mail));
