import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import cookies from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { SessionCookies } from '../accounts/session-cookies.ts';
import { FIRST_RUN_PATH, type FirstRunSetup } from '../first-run/first-run-setup.ts';
import { ApiError } from '../http/api-error.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { consolePagesDir } from '../pages/build-if-outdated-and-read-console-file.ts';
import { createConsolePageHandler } from '../pages/console-page-handler.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Best first. The build writes the compressed files. */
const encodings = [
  { name: 'br', ending: '.br', accepts: /\bbr\b/ },
  { name: 'gzip', ending: '.gz', accepts: /\bgzip\b/ },
] as const;

/** Names contain a hash of the content, so the content of a name never changes. */
const ASSET_NAME = /^[\w-]+-[A-Z0-9]{8}\.(?:js|css)$/;

const serveAssets = (app: FastifyInstance): void => {
  const cache = new Map<string, Buffer>();

  const readAsset = async (name: string): Promise<Buffer> => {
    const cached = cache.get(name);
    if (cached !== undefined) return cached;
    const content = await readFile(join(consolePagesDir, 'assets', name));
    cache.set(name, content);
    return content;
  };

  app.get('/assets/:file', async (request, reply) => {
    const { file } = request.params as { file: string };
    if (!ASSET_NAME.test(file)) throw new ApiError('not_found', 'The file does not exist');
    const encoding = encodings.find(({ accepts }) => accepts.test(request.headers['accept-encoding'] ?? ''));
    const content = await readAsset(`${file}${encoding?.ending ?? ''}`).catch(() => null);
    if (content === null) throw new ApiError('not_found', 'The file does not exist. Reload the page');
    reply.headers({
      'content-type': contentTypes[extname(file)],
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    return encoding === undefined ? reply.send(content) : reply.header('content-encoding', encoding.name).send(content);
  });
};

/** The console for administrators: one page for all its addresses, and its files below `/assets`. */
export const serveAdminConsole = (app: FastifyInstance, services: BridgeServices, firstRun: FirstRunSetup): void => {
  const send = createConsolePageHandler(app.log, {
    file: 'admin.html',
    images: "'self'",
    permissions: 'camera=(), geolocation=(), microphone=()',
    usesAssets: true,
  });
  serveAssets(app);
  app.register(async scope => {
    await scope.register(cookies);
    const sessions = new SessionCookies(services);
    for (const path of ['/', '/organizations', '/organizations/*'])
      scope.get(path, async (request, reply) => {
        if ((await sessions.findSession(request)) !== null) return send(request, reply);
        if (await firstRun.isPending()) return reply.redirect(FIRST_RUN_PATH, 302);
        return reply.redirect(`/login?return_to=${encodeURIComponent(request.url)}`, 302);
      });
    scope.get(FIRST_RUN_PATH, async (request, reply) =>
      (await firstRun.isPending()) ? send(request, reply) : reply.redirect('/', 302),
    );
  });
};
