import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUNDLES_VARIABLE, bundledPrograms } from './bundled-programs.ts';

/** Preloaded into a program that starts others from source: it and they run as bundles, which load in half the time. */
const home = join(import.meta.dirname, '../../..');
const bundles = process.env[BUNDLES_VARIABLE];
const bundleOf = new Map(
  Object.entries(bundledPrograms).map(([name, source]) => [
    pathToFileURL(join(home, source)).href,
    pathToFileURL(join(bundles ?? home, `${name}.mjs`)).href,
  ]),
);

if (bundles !== undefined)
  registerHooks({
    resolve: (specifier, context, nextResolve) => {
      const resolved = nextResolve(specifier, context);
      const bundle = bundleOf.get(resolved.url);
      return bundle === undefined ? resolved : { ...resolved, url: bundle, format: 'module' };
    },
  });
