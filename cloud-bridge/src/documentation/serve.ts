import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { EndpointDescription } from '../api/endpoint.ts';
import type { Services } from '../services.ts';
import type { DocumentedApi } from './documented-api.ts';
import { docsPage } from './docs-page.ts';
import { docsStyle } from './docs-style.ts';
import { openApiDocument } from './openapi.ts';

const styleHash = createHash('sha256').update(docsStyle).digest('base64');

const pagePolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Made at the first request, and again when the bridge learns its address. */
const perAddress = (make: (publicUrl: string) => string): ((publicUrl: string) => string) => {
  let made: { readonly at: string; readonly text: string } | null = null;
  return publicUrl => {
    if (made === null || made.at !== publicUrl) made = { at: publicUrl, text: make(publicUrl) };
    return made.text;
  };
};

/** `openapi.json` for machines and a page for people; neither needs a token. */
export const serveDocumentation = (
  app: FastifyInstance,
  api: DocumentedApi,
  endpoints: readonly EndpointDescription[],
  services: Services,
): void => {
  const openApi = perAddress(url => JSON.stringify(openApiDocument(api, endpoints, url)));
  const page = perAddress(url => docsPage(api, endpoints, url));
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
