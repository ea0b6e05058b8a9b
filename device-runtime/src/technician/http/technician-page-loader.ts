import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

export interface BuiltTechnicianPage {
  readonly html: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
  readonly etag: string;
  /** Content security policy that allows only the inlined script and style. */
  readonly policy: string;
}

const hashesOf = (html: string, tag: 'script' | 'style'): string =>
  [...html.matchAll(new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))]
    .map(([, content = '']) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`)
    .join(' ');

const policyOf = (html: string): string =>
  [
    "default-src 'none'",
    `script-src ${hashesOf(html, 'script') || "'none'"}`,
    `style-src ${hashesOf(html, 'style') || "'none'"}`,
    'img-src data: blob:',
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const preparePage = (html: Buffer): BuiltTechnicianPage => ({
  html,
  gzip: gzipSync(html, { level: 9 }),
  brotli: brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: html.length } }),
  etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`,
  policy: policyOf(html.toString('utf8')),
});

/** Reads and compresses a single-file page on first use and after the file changes. */
export const createTechnicianPageLoader = (file: string): (() => BuiltTechnicianPage | null) => {
  let known: { readonly changedAt: number; readonly page: BuiltTechnicianPage } | null = null;
  return () => {
    try {
      const changedAt = statSync(file).mtimeMs;
      if (known?.changedAt !== changedAt) known = { changedAt, page: preparePage(readFileSync(file)) };
      return known.page;
    } catch {
      return null;
    }
  };
};
