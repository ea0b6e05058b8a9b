import { execFileSync } from 'node:child_process';

/** The entry of one package version in the registry. */
export interface RegistryManifest {
  readonly integrity: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

const registryUrl = (): string =>
  execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

const list = (value: string | readonly string[] | undefined): readonly string[] | undefined =>
  typeof value === 'string' ? [value] : value;

/** A known vulnerability of a package. */
export interface Advisory {
  readonly title: string;
  readonly url: string;
  readonly severity: string;
  readonly vulnerable_versions: string;
}

const ADVISORY_TIMEOUT_MS = 20_000;

export class NpmRegistry {
  readonly #url = registryUrl();

  /** Null when the registry does not have this version. */
  async manifest(name: string, version: string): Promise<RegistryManifest | null> {
    const response = await fetch(new URL(`${name.replace('/', '%2f')}/${version}`, this.#url));
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`The npm registry answered ${response.status} for ${name}@${version}`);
    const { dist, os, cpu, libc } = (await response.json()) as {
      dist: { integrity: string };
      os?: string | string[];
      cpu?: string | string[];
      libc?: string | string[];
    };
    const platform = Object.entries({ os: list(os), cpu: list(cpu), libc: list(libc) });
    return {
      integrity: dist.integrity,
      ...Object.fromEntries(platform.filter(([, values]) => values !== undefined)),
    };
  }

  /** The advisories that affect these versions, by package name. */
  async advisories(
    versionsByName: Readonly<Record<string, readonly string[]>>,
  ): Promise<Readonly<Record<string, readonly Advisory[]>>> {
    const response = await fetch(new URL('-/npm/v1/security/advisories/bulk', this.#url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(versionsByName),
      signal: AbortSignal.timeout(ADVISORY_TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return (await response.json()) as Readonly<Record<string, readonly Advisory[]>>;
  }

  /** The manifests of many packages, a few requests at a time. */
  async manifests(
    packages: readonly { readonly name: string; readonly version: string }[],
  ): Promise<readonly (RegistryManifest | null)[]> {
    const results: (RegistryManifest | null)[] = [];
    const remaining = packages.entries();
    const worker = async (): Promise<void> => {
      for (const [index, { name, version }] of remaining) results[index] = await this.manifest(name, version);
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    return results;
  }
}
