import type { FastifyBaseLogger } from 'fastify';
import { createTransport } from 'nodemailer';

export interface MailOptions {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly smtpUrl: string;
  readonly from: string;
}

interface CodeMail {
  readonly to: string;
  readonly code: string;
  /** BCP 47, as far as it is known. */
  readonly language: string | null;
  /** The house that the guest has heard of. */
  readonly organizationName: string;
}

/** Brings a login code to an address. */
export type CodeMailer = (mail: CodeMail) => Promise<void>;

interface Words {
  readonly subject: (code: string) => string;
  readonly text: (code: string, organization: string) => string;
}

const english: Words = {
  subject: code => `${code} is your code`,
  text: (code, organization) =>
    `Your code for the doors of ${organization}:\n\n    ${code}\n\nIt works for 10 minutes, on the page where you asked for it.\nIf it was not you who asked, ignore this message: nobody gets in without the code.\n`,
};

const spanish: Words = {
  subject: code => `${code} es tu código`,
  text: (code, organization) =>
    `Tu código para las puertas de ${organization}:\n\n    ${code}\n\nSirve durante 10 minutos, en la página en la que lo has pedido.\nSi no lo has pedido tú, ignora este mensaje: sin el código no entra nadie.\n`,
};

const german: Words = {
  subject: code => `${code} ist Ihr Code`,
  text: (code, organization) =>
    `Ihr Code für die Türen von ${organization}:\n\n    ${code}\n\nEr gilt 10 Minuten lang, auf der Seite, auf der Sie ihn angefordert haben.\nWenn Sie ihn nicht angefordert haben, ist nichts zu tun: ohne den Code kommt niemand hinein.\n`,
};

const wordsFor = (language: string | null): Words => {
  const [primary] = language?.split('-') ?? [];
  return primary === 'es' ? spanish : primary === 'de' ? german : english;
};

const SECONDS = 1000;

const smtpMailer = ({ smtpUrl, from }: MailOptions): CodeMailer => {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: 20 * SECONDS,
    greetingTimeout: 20 * SECONDS,
    socketTimeout: 60 * SECONDS,
  });
  return async ({ to, code, language, organizationName }) => {
    const { subject, text } = wordsFor(language);
    await transport.sendMail({
      from,
      to: { name: '', address: to },
      subject: subject(code),
      text: text(code, organizationName),
    });
  };
};

/** A warning, so that it is seen where only those are: without it nobody could log in. */
const logMailer =
  (log: FastifyBaseLogger): CodeMailer =>
  async ({ to, code }) =>
    log.warn({ email: to, code }, 'login code of a guest; with --smtp-url it would go out by e-mail');

export const codeMailer = (mail: MailOptions | null, log: FastifyBaseLogger): CodeMailer =>
  mail === null ? logMailer(log) : smtpMailer(mail);
