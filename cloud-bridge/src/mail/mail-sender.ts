import { createTransport } from 'nodemailer';

export interface MailOptions {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly smtpUrl: string;
  readonly from: string;
}

export interface OutgoingMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export type MailSender = (mail: OutgoingMail) => Promise<void>;

const SECONDS = 1000;

/** Sends plain text through an SMTP server. */
export const createMailSender = ({ smtpUrl, from }: MailOptions): MailSender => {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: 20 * SECONDS,
    greetingTimeout: 20 * SECONDS,
    socketTimeout: 60 * SECONDS,
  });
  return async ({ to, subject, text }) => {
    await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
  };
};
