import { html, type HtmlMarkup } from './html-template.ts';

const logo = html`<svg class="logo" viewBox="0 0 32 32" aria-hidden="true"><path class="lintel" d="M4 5h24v5H4z"/><path class="door" d="M8 12h16v16H8z"/><circle class="knob" cx="20" cy="20.5" r="1.6"/></svg>`;

/** A page with a single narrow card that fits on a phone. */
export const renderPageLayout = (title: string, content: HtmlMarkup): HtmlMarkup => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Lintel</title>
<link rel="icon" href="/login/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/login/style.css">
</head>
<body>
<main class="card">
<p class="brand">${logo}<span>Lintel</span></p>
${content}
</main>
</body>
</html>
`;

export const favicon = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f5f5b"/><path fill="#f4b860" d="M6 6h20v4H6z"/><path fill="#fff" d="M9 12h14v14H9z"/><circle cx="19.5" cy="19.5" r="1.5" fill="#1f5f5b"/></svg>`;

export const renderHiddenInput = (name: string, value: string): HtmlMarkup =>
  html`<input type="hidden" name="${name}" value="${value}">`;
