import { createHash } from 'node:crypto';

/** What a policy allows a page that has its script and its style within itself: exactly these. */
export const inlineHashes = (html: string, tag: 'script' | 'style'): string =>
  [...html.matchAll(new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))]
    .map(([, content = '']) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`)
    .join(' ');
