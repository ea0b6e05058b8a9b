import { formatConnectionError } from '@lintel/service/connections/outage-log';
import type { FastifyBaseLogger } from 'fastify';
import { withoutLinks } from './without-links.ts';
import { createMailSender, type OutgoingMail, type MailOptions, type MailSender } from './mail-sender.ts';

interface AccountLink {
  readonly to: string;
  readonly url: string;
  readonly userId: string;
}

const invitationText = (organization: string, url: string): string =>
  `You are invited to manage the doors of "${organization}" with Lintel.\n\nOpen this link to accept the invitation:\n\n    ${url}\n\nThe link is valid for 7 days and works once. Do not forward it.\nIf you did not expect the invitation, ignore this message.\n`;

const resetText = (url: string): string =>
  `Open this link to choose a new password for Lintel:\n\n    ${url}\n\nThe link is valid for one hour and works once. Do not forward it.\nIf you did not request it, ignore this message. Your password stays the same.\n`;

const loginLinkText = (url: string): string =>
  `Many wrong passwords were entered for your account at Lintel, possibly by somebody else. To sign in now, open this link in your browser and enter your password:\n\n    ${url}\n\nThe link is valid for one hour and works once. Do not forward it.\nIf you do not want to sign in, ignore this message. Your password stays the same.\n`;

/** Sends invitations, links for signing in and password resets. Never writes a link to the log. */
export class AccountMailer {
  readonly #send: MailSender | null;
  readonly #log: FastifyBaseLogger | null;

  constructor(mail: MailOptions | null, log: FastifyBaseLogger | null) {
    this.#send = mail === null ? null : createMailSender(mail);
    this.#log = log;
  }

  /** False: someone has to hand over the links. */
  get isEnabled(): boolean {
    return this.#send !== null;
  }

  /** Rejects if the mail server does not accept the message, or if there is none. */
  async send(mail: OutgoingMail): Promise<void> {
    if (this.#send === null) throw new Error('No mail server is configured. Set --smtp-url');
    await this.#send(mail);
  }

  sendInvitation({ to, url, userId }: AccountLink, name: string): void {
    if (this.#send === null) {
      this.#log?.info({ user_id: userId }, 'Invitation created. Set --smtp-url to send invitations by email');
      return;
    }
    const organizationName = withoutLinks(name);
    const subject = `Invitation to ${organizationName}`;
    this.#deliver(this.#send({ to, subject, text: invitationText(organizationName, url) }), userId, 'Invitation');
  }

  sendPasswordReset({ to, url, userId }: AccountLink): void {
    if (this.#send === null) return;
    const subject = 'Choose a new password';
    this.#deliver(this.#send({ to, subject, text: resetText(url) }), userId, 'Password reset');
  }

  /** For a message that nobody waits for. */
  sendInBackground(mail: OutgoingMail, what: string): void {
    this.#deliver(this.send(mail), null, what);
  }

  sendLoginLink({ to, url, userId }: AccountLink): void {
    if (this.#send === null) return;
    this.#deliver(this.#send({ to, subject: 'Sign in to Lintel', text: loginLinkText(url) }), userId, 'Login link');
  }

  /** Callers do not wait for the mail server, because the time would reveal which addresses have an account. */
  #deliver(delivery: Promise<void>, userId: string | null, what: string): void {
    delivery.catch((error: unknown) =>
      this.#log?.error({ reason: formatConnectionError(error), user_id: userId }, `${what} could not be sent`),
    );
  }
}
