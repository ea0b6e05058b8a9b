import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { buildAdminConsole } from './build-admin.ts';
import { buildGuestPwaFiles } from './build-guest-pwa-files.ts';
import { bundleOptions } from './bundle-options.ts';
import { saveBuiltFile } from './save-built-file.ts';
import { trimQrDecoderPlugin } from './trim-qr-decoder.ts';

/** Each of these pages is one file, so that a phone on a slow network sends one request. */
const pages = ['guest', 'simulator', 'technician'];

const sources = join(import.meta.dirname, 'src');
/** `node console/build.ts [DIR]` */
const built = resolve(process.argv[2] ?? join(import.meta.dirname, 'dist'));

const bundled = async (file: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [file],
    ...bundleOptions,
    plugins: [trimQrDecoderPlugin],
    write: false,
  });
  return outputFiles[0]?.text.trim() ?? '';
};

/** A page with components is written in TSX. */
const entryOf = (name: string): string => {
  const components = join(sources, name, 'main.tsx');
  return existsSync(components) ? components : join(sources, name, 'main.ts');
};

// Before the pages: a bridge regards the files as built when the newest page is.
await buildGuestPwaFiles(built);

for (const name of pages) {
  const page = readFileSync(join(sources, name, 'page.html'), 'utf8').replaceAll(/>\n\s*</g, '><');
  const style = await bundled(join(sources, name, 'style.css'));
  const script = await bundled(entryOf(name));
  saveBuiltFile(
    join(built, `${name}.html`),
    page
      .replace('<style></style>', () => `<style>${style}</style>`)
      .replace('<script type="module"></script>', () => `<script type="module">${script}</script>`),
  );
}

await buildAdminConsole(built);
