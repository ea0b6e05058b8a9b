import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toEnvironmentVariableName } from '@lintel/service/command-line/environment-variables';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { runLintel } from '../support/processes/lintel-command.ts';
import type { KubernetesObject } from './kubernetes-object-types.ts';

const deploy = join(import.meta.dirname, '../../deploy');
const read = (file: string): string => readFileSync(join(deploy, file), 'utf8');
const files = globSync(['**/*.yaml', '**/*.Dockerfile'], { cwd: deploy });

interface ComposeFile {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly volumes?: readonly string[];
        readonly secrets?: readonly string[];
        readonly environment: Readonly<Record<string, string>>;
      }
    >
  >;
  readonly secrets: Readonly<Record<string, object>>;
  readonly volumes: Readonly<Record<string, object>>;
}

const variablesOf = async (command: string): Promise<Set<string>> => {
  const { stdout } = await runLintel(command, '--help');
  return new Set([...stdout.matchAll(/--([a-z][a-z-]+)/g)].map(([, option]) => toEnvironmentVariableName(option!)));
};

const sectionsOf = (folder: string): string[] =>
  [...read(join(folder, 'README.md')).matchAll(/^## (.+)$/gm)].map(([, title]) => title!);

describe('deployment files', () => {
  it.each(files)('%s sets only variables of options that exist', async file => {
    const known = await variablesOf(file.includes('gateway') ? 'gateway' : 'bridge');
    const used = [...read(file).matchAll(/\bLINTEL_[A-Z_]+/g)].map(([name]) => name);
    expect(used.filter(name => !known.has(name))).toEqual([]);
  });

  it.each(files.filter(file => file.endsWith('.yaml')))('%s is valid YAML without duplicate keys', file => {
    const documents = parseAllDocuments(read(file), { merge: true });
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  });

  it.each(files.filter(file => file.endsWith('compose.yaml')))('%s mounts files that exist or are documented', file => {
    const folder = dirname(file);
    const readme = read(join(folder, 'README.md'));
    const mounted = [...read(file).matchAll(/- \.\/([\w.]+):/g)].map(([, name]) => name!);
    expect(mounted).not.toEqual([]);
    for (const name of mounted) expect(existsSync(join(deploy, folder, name)) || readme.includes(name)).toBe(true);
  });

  it.each(files.filter(file => file.endsWith('compose.yaml')))('%s lists its variables in .env.example', file => {
    const example = read(join(dirname(file), '.env.example'));
    const used = new Set([...read(file).matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name!));
    expect([...used].filter(name => !example.includes(`${name}=`))).toEqual([]);
  });

  it.each(['compose/small', 'compose/cluster', 'kubernetes'])('in %s are explained from start to removal', folder => {
    expect(sectionsOf(folder)).toEqual(['Start', 'First login', 'Back up', 'Restore', 'Upgrade', 'Remove']);
  });

  it.each(['container', 'mosquitto'])('in %s are explained from start to removal', folder => {
    expect(sectionsOf(folder)).toEqual(['Start', 'Upgrade', 'Remove']);
  });

  it('share no volume between the bridges of a Compose cluster', () => {
    const [document] = parseAllDocuments(read('compose/cluster/compose.yaml'), { merge: true });
    const { services, secrets, volumes } = document!.toJS() as ComposeFile;
    const bridges = Object.entries(services).filter(([name]) => name.startsWith('bridge'));
    expect(bridges).toHaveLength(3);
    for (const [, bridge] of bridges) {
      expect(bridge.volumes ?? []).toEqual([]);
      expect(bridge.environment['LINTEL_CLUSTER_SECRET_FILE']).toBe(`/run/secrets/${bridge.secrets?.[0]}`);
    }
    expect(Object.keys(secrets)).toEqual(['cluster-secret', 'backup-passphrase']);
    const named = Object.values(services).flatMap(service => service.volumes ?? []);
    const used = named.map(volume => volume.split(':')[0]!).filter(source => !source.startsWith('.'));
    expect(Object.keys(volumes).toSorted()).toEqual(used.toSorted());
  });

  const kubernetes = () =>
    parseAllDocuments(read('kubernetes/bridge.yaml')).map(document => document.toJS() as KubernetesObject);

  const objectOf = <K extends KubernetesObject['kind']>(kind: K, name: string) =>
    kubernetes().find(
      (object): object is Extract<KubernetesObject, { readonly kind: K }> =>
        object.kind === kind && object.metadata?.name === name,
    )!;

  it('use the same Kubernetes names in selectors, labels and references', () => {
    expect(kubernetes().map(({ kind, metadata }) => `${kind} ${metadata?.name}`)).toEqual([
      'Secret lintel-bridge',
      'Secret lintel-bridge-cluster',
      'ConfigMap lintel-bridge',
      'Deployment lintel-bridge',
      'PodDisruptionBudget lintel-bridge',
      'Service lintel-bridge',
      'Ingress lintel-bridge',
    ]);
  });

  it('mount only volumes of Kubernetes that exist, and the secret where the bridge reads it', () => {
    const pod = objectOf('Deployment', 'lintel-bridge').spec!.template.spec!;
    const mounts = pod.containers.flatMap(({ volumeMounts }) => volumeMounts!);
    expect(mounts.map(({ name }) => name).toSorted()).toEqual(pod.volumes!.map(({ name }) => name).toSorted());
    const data = objectOf('ConfigMap', 'lintel-bridge').data!;
    const secret = objectOf('Secret', 'lintel-bridge-cluster').stringData!;
    const pathOf = (volume: string): string => mounts.find(({ name }) => name === volume)!.mountPath;
    const [key] = Object.keys(secret);
    expect(data['LINTEL_CLUSTER_SECRET_FILE']).toBe(`${pathOf('cluster-secret')}/${key}`);
    expect(secret[key!]).toMatch(/^\S{32,}$/);
    expect(dirname(data['LINTEL_DATA']!)).toBe(pathOf('data'));
  });
});
