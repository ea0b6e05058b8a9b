import { frame } from './frame.ts';
import { html, type Markup } from './markup.ts';

export interface MessagePage {
  readonly title: string;
  readonly message: string;
  /** For whoever has to mend it. */
  readonly detail?: string;
  readonly link?: { readonly href: string; readonly text: string };
}

export const messagePage = ({ title, message, detail, link }: MessagePage): Markup =>
  frame(
    title,
    html`<h1>${title}</h1>
<p role="alert">${message}</p>
${detail === undefined ? null : html`<p class="detail">${detail}</p>`}
${link === undefined ? null : html`<p><a class="secondary" href="${link.href}">${link.text}</a></p>`}`,
  );
