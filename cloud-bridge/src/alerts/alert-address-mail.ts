import type { OutgoingMail } from '../mail/mail-sender.ts';
import { type MailLanguage, selectMailLanguage } from '../mail/mail-language.ts';
import { withoutLinks } from '../mail/without-links.ts';

interface MailTexts {
  readonly subject: (organization: string) => string;
  readonly text: (organization: string, url: string) => string;
}

const texts: Readonly<Record<MailLanguage, MailTexts>> = {
  en: {
    subject: organization => `Alerts of ${organization}`,
    text: (organization, url) =>
      `${organization} wants to send alerts about its doors to this address.\n\nOpen this link to receive them:\n\n    ${url}\n\nThe link is valid for 7 days and works once.\nIf you did not expect this message, ignore it. No alerts are sent.\n`,
  },
  de: {
    subject: organization => `Alarme von ${organization}`,
    text: (organization, url) =>
      `${organization} möchte Alarme zu seinen Türen an diese Adresse senden.\n\nÖffnen Sie diesen Link, um sie zu erhalten:\n\n    ${url}\n\nDer Link gilt 7 Tage lang und funktioniert einmal.\nWenn Sie diese Nachricht nicht erwartet haben, ignorieren Sie sie. Dann werden keine Alarme gesendet.\n`,
  },
  es: {
    subject: organization => `Alarmas de ${organization}`,
    text: (organization, url) =>
      `${organization} quiere enviar alarmas sobre sus puertas a esta dirección.\n\nAbre este enlace para recibirlas:\n\n    ${url}\n\nEl enlace es válido durante 7 días y funciona una vez.\nSi no esperabas este mensaje, ignóralo. No se enviará ninguna alarma.\n`,
  },
};

/** Asks the owner of an address whether alerts may be sent to it. */
export const composeAlertAddressMail = (
  to: string,
  content: { readonly organizationName: string; readonly url: string; readonly language: string | null },
): OutgoingMail => {
  const { subject, text } = texts[selectMailLanguage(content.language)];
  const organization = withoutLinks(content.organizationName);
  return { to, subject: subject(organization), text: text(organization, content.url) };
};
