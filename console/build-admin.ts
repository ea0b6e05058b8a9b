import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { bundleOptions } from './bundle-options.ts';
import { saveBuiltFile } from './save-built-file.ts';

const source = join(import.meta.dirname, 'src/admin');

/** Long enough for a tab that still uses the previous build to load its remaining chunks. */
const STALE_AFTER_MS = 3_600_000;

const saveCompressed = (file: string, content: Uint8Array): void => {
  saveBuiltFile(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
  saveBuiltFile(`${file}.gz`, gzipSync(content, { level: 9 }));
  saveBuiltFile(file, content);
};

const deleteStaleFiles = (folder: string, current: ReadonlySet<string>): void => {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const isCurrent = current.has(name.replace(/\.(?:br|gz)$/, ''));
    // A file of another build may be renamed at this moment.
    const modifiedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (!isCurrent && Date.now() - modifiedAt > STALE_AFTER_MS) rmSync(file, { force: true });
  }
};

/** The chunks that the entry imports at once. */
const staticImportsOf = ({ outputs }: Metafile, output: string): string[] => {
  const imports = new Set<string>();
  const visit = (name: string): void => {
    for (const { path, kind } of outputs[name]?.imports ?? []) {
      if (kind !== 'import-statement' || imports.has(path)) continue;
      imports.add(path);
      visit(path);
    }
  };
  visit(output);
  return [...imports];
};

const outputOf = ({ outputs }: Metafile, entry: string): string =>
  Object.keys(outputs).find(name => outputs[name]?.entryPoint?.endsWith(`src/admin/${entry}`)) ?? '';

/**
 * The admin console: `admin.html` and, in `assets`, chunks with hashed names, so that a browser keeps them forever and
 * loads a screen when it is opened.
 */
export const buildAdminConsole = async (built: string): Promise<void> => {
  const assets = join(built, 'assets');
  const { outputFiles, metafile } = await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: [join(source, 'main.tsx'), join(source, 'style.css')],
    outdir: assets,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    ...bundleOptions,
    splitting: true,
    metafile: true,
    write: false,
  });
  for (const { path, contents } of outputFiles) saveCompressed(path, contents);
  deleteStaleFiles(assets, new Set(outputFiles.map(({ path }) => basename(path))));
  const script = outputOf(metafile, 'main.tsx');
  const address = (output: string): string => `/assets/${basename(output)}`;
  const tags = [
    `<link rel="stylesheet" href="${address(outputOf(metafile, 'style.css'))}">`,
    ...staticImportsOf(metafile, script).map(chunk => `<link rel="modulepreload" href="${address(chunk)}">`),
    `<script type="module" src="${address(script)}"></script>`,
  ];
  const page = readFileSync(join(source, 'page.html'), 'utf8').replaceAll(/>\n\s*</g, '><');
  saveBuiltFile(join(built, 'admin.html'), page.replace('<!-- assets -->', tags.join('')));
};
