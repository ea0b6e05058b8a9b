import type { FastifyInstance } from 'fastify';
import type { EndpointDescription } from '../api/define-endpoint.ts';
import { computeCspHashes } from '../pages/csp-hashes.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { ApiDescription } from './public-api-description.ts';
import { renderDocsPage } from './page/docs-page.ts';
import { createOpenApiDocument } from './openapi-document.ts';

/** Permits the style and script of the page, and requests to this bridge. */
const pagePolicy = (page: string): string =>
  [
    "default-src 'none'",
    `style-src ${computeCspHashes(page, 'style')}`,
    `script-src ${computeCspHashes(page, 'script')}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Renders at the first request, and again if the public URL changes. */
const cachePerUrl = <T>(render: (publicUrl: string) => T): ((publicUrl: string) => T) => {
  let cached: { readonly url: string; readonly value: T } | null = null;
  return publicUrl => {
    if (cached === null || cached.url !== publicUrl) cached = { url: publicUrl, value: render(publicUrl) };
    return cached.value;
  };
};

/** Serves `openapi.json` and the HTML documentation, both without authentication. */
export const serveDocumentation = (
  app: FastifyInstance,
  api: ApiDescription,
  endpoints: readonly EndpointDescription[],
  services: BridgeServices,
): void => {
  const openApi = cachePerUrl(url => JSON.stringify(createOpenApiDocument(api, endpoints, url)));
  const withoutExpands = cachePerUrl(url =>
    JSON.stringify(createOpenApiDocument(api, endpoints, url, { hasExpands: false })),
  );
  const page = cachePerUrl(url => {
    const text = renderDocsPage(api, endpoints, url);
    return { text, policy: pagePolicy(text) };
  });
  app.get(`${api.base}/openapi.json`, async (request, reply) => {
    const { expands } = request.query as { expands?: unknown };
    const document = expands === 'false' ? withoutExpands : openApi;
    return reply.header('content-type', 'application/json; charset=utf-8').send(document(services.publicUrl));
  });
  app.get(api.page, async (_, reply) => {
    const { text, policy } = page(services.publicUrl);
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .send(text);
  });
};
