import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

/** The serial bindings bring prebuilt binaries, so no install script has to run. */
export const installNodeRedCommand =
  'npm install --ignore-scripts --prefix DIR node-red@5.0.7 node-red-node-serialport@2.0.3';

/** The folder in LINTEL_NODE_RED, or null if that is not set. Node-RED is no dependency, because it takes 120 MB. */
export const findNodeRed = (): string | null => {
  const folder = process.env['LINTEL_NODE_RED'];
  if (folder === undefined || folder === '') return null;
  const installation = resolve(folder);
  const { resolve: find } = createRequire(join(installation, 'package.json'));
  try {
    for (const name of ['node-red', 'node-red-node-serialport']) find(`${name}/package.json`);
  } catch (cause) {
    throw new Error(`Node-RED is not installed in ${installation}. Run: ${installNodeRedCommand}`, { cause });
  }
  return installation;
};
