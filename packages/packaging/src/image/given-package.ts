import { readDeb } from '../debian-package/read-deb.ts';
import { runProgram } from './run-program.ts';

export const fieldOf = async (file: string, field: string): Promise<string> =>
  (await runProgram('dpkg-deb', ['--field', file, field])).toString().trim();

/** By dpkg, which reads also how others compress. */
const factsByDpkg = async (file: string) => ({
  name: await fieldOf(file, 'Package'),
  architecture: await fieldOf(file, 'Architecture'),
});

/** Throws unless it is a whole package of the controller for that processor. */
export const checkGivenPackage = async (file: string, wanted: string): Promise<void> => {
  const { name, architecture } = (await readDeb(file)) ?? (await factsByDpkg(file));
  if (name !== 'lintel-controller' || architecture !== wanted)
    throw new Error(`--package ${file} is ${name} for ${architecture}: lintel-controller for ${wanted} is needed`);
};
