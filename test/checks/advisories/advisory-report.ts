import { isFromRegistry, type LockEntries, packageNameOf } from '../package-lock/package-lock-file.ts';
import type { Advisory } from '../package-lock/npm-registry.ts';

type VersionsByName = Readonly<Record<string, readonly string[]>>;

export interface LockedVersions {
  readonly production: VersionsByName;
  readonly development: VersionsByName;
}

/** The versions in the lock, separate for packages that are installed with the product and for tools. */
export const lockedVersionsOf = (packages: LockEntries): LockedVersions => {
  const fromRegistry = Object.entries(packages).filter(([path, entry]) => isFromRegistry(path, entry));
  const versionsOf = (isTool: boolean): VersionsByName => {
    const matching = fromRegistry.filter(([, { dev }]) => (dev === true) === isTool);
    const byName = Object.groupBy(matching, ([path]) => packageNameOf(path));
    return Object.fromEntries(
      Object.entries(byName).map(([name, entries = []]) => [
        name,
        [...new Set(entries.map(([, { version = '' }]) => version))],
      ]),
    );
  };
  return { production: versionsOf(false), development: versionsOf(true) };
};

export interface AdvisoryReport {
  readonly lines: readonly string[];
  /** Whether a production package has an advisory of high or critical severity. */
  readonly isFailure: boolean;
}

type AdvisoriesByName = Readonly<Record<string, readonly Advisory[]>>;

const failingSeverities: ReadonlySet<string> = new Set(['high', 'critical']);

export const reportAdvisories = (
  { production, development }: LockedVersions,
  found: { readonly production: AdvisoriesByName; readonly development: AdvisoriesByName },
): AdvisoryReport => {
  const linesOf = (kind: string, versions: VersionsByName, advisories: AdvisoriesByName): string[] =>
    Object.entries(advisories).flatMap(([name, list]) =>
      list.map(
        ({ severity, title, url, vulnerable_versions }) =>
          `${severity}: ${name} ${(versions[name] ?? []).join(', ')} (${kind}): ${title}. Vulnerable: ${vulnerable_versions}. ${url}`,
      ),
    );
  return {
    lines: [
      ...linesOf('production', production, found.production),
      ...linesOf('development', development, found.development),
    ],
    isFailure: Object.values(found.production)
      .flat()
      .some(({ severity }) => failingSeverities.has(severity)),
  };
};
