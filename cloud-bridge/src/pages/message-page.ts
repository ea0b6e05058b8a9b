import { renderPageLayout } from './page-layout.ts';
import { html, type HtmlMarkup } from './html-template.ts';

export interface MessagePageProps {
  readonly title: string;
  readonly message: string;
  /** Technical detail for developers. */
  readonly detail?: string;
  readonly link?: { readonly href: string; readonly text: string };
}

export const renderMessagePage = ({ title, message, detail, link }: MessagePageProps): HtmlMarkup =>
  renderPageLayout(
    title,
    html`<h1>${title}</h1>
<p role="alert">${message}</p>
${detail === undefined ? null : html`<p class="detail">${detail}</p>`}
${link === undefined ? null : html`<p><a class="secondary" href="${link.href}">${link.text}</a></p>`}`,
  );
