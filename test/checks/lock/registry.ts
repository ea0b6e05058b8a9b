import { execFileSync } from 'node:child_process';

/** What the registry says about one version of a package. */
export interface Manifest {
  readonly integrity: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

const registryUrl = (): string =>
  execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

const list = (value: string | readonly string[] | undefined): readonly string[] | undefined =>
  typeof value === 'string' ? [value] : value;

export class Registry {
  readonly #url = registryUrl();

  /** Null when the registry does not have this version. */
  async manifest(name: string, version: string): Promise<Manifest | null> {
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

  /** The manifests of many packages, a few requests at a time. */
  async manifests(
    wanted: readonly { readonly name: string; readonly version: string }[],
  ): Promise<readonly (Manifest | null)[]> {
    const results: (Manifest | null)[] = [];
    const remaining = wanted.entries();
    const worker = async (): Promise<void> => {
      for (const [index, { name, version }] of remaining) results[index] = await this.manifest(name, version);
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    return results;
  }
}
