import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { readLock } from '../package-lock/package-lock-file.ts';
import { lockedVersionsOf, reportAdvisories } from './advisory-report.ts';

const advisory = (severity: string) => ({
  severity,
  title: 'Prototype pollution',
  url: 'https://example.test/GHSA-1',
  vulnerable_versions: '<2.0.0',
});

describe('lockedVersionsOf', () => {
  it('separates production packages from tools, and collects all versions of a name', () => {
    const { production, development } = lockedVersionsOf({
      '': { version: '0.1.0' },
      'packages/service': { version: '0.1.0' },
      'node_modules/@lintel/service': { link: true },
      'node_modules/parser': { version: '1.0.0' },
      'node_modules/server/node_modules/parser': { version: '1.1.0' },
      'node_modules/linter': { version: '3.0.0', dev: true },
      'node_modules/linter/node_modules/parser': { version: '0.9.0', dev: true },
    });
    expect(production).toEqual({ parser: ['1.0.0', '1.1.0'] });
    expect(development).toEqual({ linter: ['3.0.0'], parser: ['0.9.0'] });
  });

  it('finds the web server of the bridge in the lock', () => {
    expect(lockedVersionsOf(readLock().packages).production).toHaveProperty('fastify');
  });
});

describe('reportAdvisories', () => {
  const versions = { production: { parser: ['1.0.0'] }, development: { linter: ['3.0.0'] } };

  it.each([
    ['high', true],
    ['critical', true],
    ['moderate', false],
    ['low', false],
  ])('fails for a production package with severity %s: %s', (severity, isFailure) => {
    const report = reportAdvisories(versions, { production: { parser: [advisory(severity)] }, development: {} });
    expect(report.isFailure).toBe(isFailure);
    expect(report.lines).toEqual([
      `${severity}: parser 1.0.0 (production): Prototype pollution. Vulnerable: <2.0.0. https://example.test/GHSA-1`,
    ]);
  });

  it('lists advisories of tools without failing', () => {
    const report = reportAdvisories(versions, { production: {}, development: { linter: [advisory('critical')] } });
    expect([report.isFailure, report.lines.length]).toEqual([false, 1]);
  });
});

/** Runs the check against a registry that answers like this. */
const runCheck = async (answer: (request: IncomingMessage, body: string) => readonly [number, string]) => {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [status, content] = answer(request, await text(request));
    response.writeHead(status, { 'content-type': 'application/json' }).end(content);
  };
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
  const file = join(import.meta.dirname, 'check-advisories.ts');
  const result = await new Promise<{ readonly code: number; readonly output: string }>(resolve => {
    execFile(process.execPath, [file], { env }, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout }),
    );
  });
  server.close();
  return result;
};

describe('npm run check:advisories', () => {
  it('asks the bulk endpoint of the configured registry and fails on a high severity', async () => {
    const asked: string[] = [];
    const { code, output } = await runCheck(({ method, url }, body) => {
      asked.push(`${method} ${url}`);
      return [200, JSON.stringify(body.includes('"fastify"') ? { fastify: [advisory('high')] } : {})];
    });
    expect(asked).toEqual(Array(2).fill('POST /-/npm/v1/security/advisories/bulk'));
    expect([code, output]).toEqual([1, expect.stringMatching(/^high: fastify \S+ \(production\)/)]);
  });

  it('passes and says so when the registry does not answer', async () => {
    const { code, output } = await runCheck(() => [503, '']);
    expect([code, output]).toEqual([0, 'advisories: not checked: the registry did not answer (status 503)\n']);
  });
});
