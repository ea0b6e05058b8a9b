import { readLock } from '../package-lock/package-lock-file.ts';
import { NpmRegistry } from '../package-lock/npm-registry.ts';
import { lockedVersionsOf, reportAdvisories } from './advisory-report.ts';

/*
 * `npm run check:advisories`: asks the configured registry for known vulnerabilities of the packages in the lock. Fails on
 * high and critical ones of production packages. Without an answer nothing is checked, and the check passes.
 */

const count = (versions: object): number => Object.keys(versions).length;

const findAdvisories = async (versions: ReturnType<typeof lockedVersionsOf>) => {
  try {
    const registry = new NpmRegistry();
    return {
      production: await registry.advisories(versions.production),
      development: await registry.advisories(versions.development),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stdout.write(`advisories: not checked: the registry did not answer (${reason})\n`);
    return null;
  }
};

const versions = lockedVersionsOf(readLock().packages);
const found = await findAdvisories(versions);
if (found !== null) {
  const { lines, isFailure } = reportAdvisories(versions, found);
  for (const line of lines) process.stdout.write(`${line}\n`);
  const checked = `${count(versions.production)} production and ${count(versions.development)} development packages`;
  process.stdout.write(`advisories: ${lines.length} for ${checked}\n`);
  if (isFailure) {
    process.stderr.write('A production package has a known vulnerability. Update it, then run "npm run lock".\n');
    process.exitCode = 1;
  }
}
