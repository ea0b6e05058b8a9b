import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { EndpointDescription } from '../api/endpoint.ts';
import type { BridgeServices } from '../services.ts';
import type { ApiDescription } from './api-description.ts';
import { renderDocsPage } from './docs-page.ts';
import { docsStylesheet } from './docs-stylesheet.ts';
import { openApiDocument } from './openapi.ts';

const styleHash = createHash('sha256').update(docsStylesheet).digest('base64');

const pagePolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Creates the text at the first request, and again if the public URL changes. */
const cachePerUrl = (render: (publicUrl: string) => string): ((publicUrl: string) => string) => {
  let cached: { readonly url: string; readonly text: string } | null = null;
  return publicUrl => {
    if (cached === null || cached.url !== publicUrl) cached = { url: publicUrl, text: render(publicUrl) };
    return cached.text;
  };
};

/** Serves `openapi.json` and the HTML documentation, both without authentication. */
export const serveDocumentation = (
  app: FastifyInstance,
  api: ApiDescription,
  endpoints: readonly EndpointDescription[],
  services: BridgeServices,
): void => {
  const openApi = cachePerUrl(url => JSON.stringify(openApiDocument(api, endpoints, url)));
  const page = cachePerUrl(url => renderDocsPage(api, endpoints, url));
  app.get(`${api.base}/openapi.json`, async (_, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(openApi(services.publicUrl)),
  );
  app.get(api.page, async (_, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', pagePolicy)
      .send(page(services.publicUrl)),
  );
};
