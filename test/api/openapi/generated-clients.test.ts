import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestOrganizationClient, TestBridge } from '../../support/bridge/test-bridge.ts';
import { blocksOf, readPage } from '../../docs/markdown.test-support.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const PAGE = 'docs/integrator/generated-clients.md';
const root = join(import.meta.dirname, '../../..');

const packageFile = (name: string, file: string): string =>
  join(dirname(require.resolve(`${name}/package.json`)), file);

/** The generators need the TypeScript API, which TypeScript 7 of this repository does not have. */
const withTypeScriptApi = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module';
const typescript = ${JSON.stringify(pathToFileURL(require.resolve('typescript')).href)};
registerHooks({ resolve: (name, context, next) => next(name === 'typescript' ? typescript : name, context) });
`)}`;

interface Generator {
  readonly name: string;
  /** Program and arguments, which write the client for `openapi.json` into the current folder. */
  readonly command: readonly string[];
  /** Files that the generator needs. */
  readonly files?: Readonly<Record<string, string>>;
}

const orvalConfiguration = (): string => {
  const block = blocksOf(readPage(PAGE)).find(({ language }) => language === 'js');
  return block!.text.replace(/https:[^']+/, './openapi.json');
};

const generators: readonly Generator[] = [
  {
    name: 'openapi-fetch',
    command: [packageFile('openapi-typescript', 'bin/cli.js'), 'openapi.json', '-o', 'lintel.ts'],
  },
  {
    name: 'hey-api',
    command: [
      packageFile('@hey-api/openapi-ts', 'dist/run.mjs'),
      '-i',
      'openapi.json',
      '-o',
      'lintel',
      '--no-log-file',
    ],
  },
  {
    name: 'orval',
    command: [packageFile('orval', 'dist/bin/orval.mjs'), '--config', 'orval.config.mjs'],
    files: { 'orval.config.mjs': orvalConfiguration() },
  },
];

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  module: 'nodenext',
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: ['node'],
  outDir: 'compiled',
  rootDir: '.',
};

describe('clients generated from the OpenAPI document', { tags: ['slow'] }, () => {
  let bridge: TestBridge;
  let organization: TestOrganizationClient;
  let baseUrl: string;
  let folder: string;
  beforeAll(async () => {
    bridge = await TestBridge.open();
    organization = await bridge.newOrganization();
    baseUrl = `${await bridge.listen('127.0.0.1', 0)}/v2`;
    // Below the repository, so that the clients find their packages. The compiler skips node_modules.
    mkdirSync(join(root, '.lintel'), { recursive: true });
    folder = mkdtempSync(join(root, '.lintel/generated-clients-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await bridge.close();
  });

  const generate = async ({ name, command, files = {} }: Generator, api: string): Promise<string> => {
    const { payload } = await bridge.app.inject({ url: api });
    const project = join(folder, `${name}${api.replaceAll('/', '-')}`);
    mkdirSync(project);
    writeFileSync(join(project, 'openapi.json'), payload);
    writeFileSync(join(project, 'package.json'), '{"type":"module"}');
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
    await run(process.execPath, ['--import', withTypeScriptApi, ...command], { cwd: project });
    return project;
  };

  const compile = async (project: string): Promise<void> => {
    const compiled = run(join(root, 'node_modules/.bin/tsc'), ['-p', project], { cwd: project });
    const problems = await compiled.catch(({ stdout }: { stdout: string }) => ({ stdout }));
    expect(problems.stdout).toBe('');
  };

  it.each(generators)('$name compiles and completes a guest stay', async generator => {
    const project = await generate(generator, '/v2/openapi.json');
    const sample = blocksOf(readPage(PAGE)).find(({ text }) => text.startsWith(`// ${generator.name}\n`));
    writeFileSync(join(project, 'stay.ts'), sample!.text);
    await compile(project);
    const { id } = await organization.callOk('POST', '/member_groups', { name: 'Room 12', permissions: [{}] });
    const { stdout } = await run(process.execPath, [join(project, 'compiled/stay.js')], {
      env: { BASE_URL: baseUrl, TOKEN: organization.token, GROUP_ID: id },
    });
    expect(JSON.parse(stdout)).toEqual({ pin: 6, found: [1], events: 3, deleted: true });
  });

  it.each(generators)('$name compiles for the admin API', async generator => {
    await compile(await generate(generator, '/admin/v1/openapi.json'));
  });
});
