import type { FastifyInstance } from 'fastify';
import { buildIfOutdatedAndReadConsoleFile } from '../pages/build-if-outdated-and-read-console-file.ts';

const image = { 'content-type': 'image/png', 'cache-control': 'public, max-age=86400' };
const manifest = { 'content-type': 'application/manifest+json; charset=utf-8', 'cache-control': 'no-cache' };

/** What makes the guest page an app that can be installed and used offline, and the headers of each file. */
const guestAppFiles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'service-worker.js': {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
    // The page is at `/guest`, outside of the folder of the worker.
    'service-worker-allowed': '/guest',
    'content-security-policy': "default-src 'none'; connect-src 'self'",
  },
  'nearby.js': { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' },
  'manifest-en.webmanifest': manifest,
  'manifest-de.webmanifest': manifest,
  'manifest-es.webmanifest': manifest,
  'icon-192.png': image,
  'icon-512.png': image,
  'icon-maskable-512.png': image,
};

export const serveGuestAppFiles = (app: FastifyInstance): void => {
  for (const [file, headers] of Object.entries(guestAppFiles))
    app.get(`/guest/${file}`, async (_, reply) =>
      reply.headers(headers).send(await buildIfOutdatedAndReadConsoleFile(`guest/${file}`)),
    );
};
