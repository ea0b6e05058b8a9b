import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { environmentVariableOf } from '@lintel/service/command-line/program-options';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { runLintel } from '../support/processes/lintel-command.ts';

const deploy = join(import.meta.dirname, '../../deploy');
const read = (file: string): string => readFileSync(join(deploy, file), 'utf8');
const files = globSync(['**/*.yaml', '**/*.Dockerfile'], { cwd: deploy });

const variablesOf = async (command: string): Promise<Set<string>> => {
  const { stdout } = await runLintel(command, '--help');
  return new Set([...stdout.matchAll(/--([a-z][a-z-]+)/g)].map(([, option]) => environmentVariableOf(option!)));
};

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

  it('use the same Kubernetes names in selectors, labels and references', () => {
    const objects = parseAllDocuments(read('kubernetes/bridge.yaml')).map(
      document => document.toJS() as { kind: string; metadata: { name: string } },
    );
    expect(objects.map(({ kind }) => kind)).toEqual([
      'Secret',
      'ConfigMap',
      'PersistentVolumeClaim',
      'Deployment',
      'PodDisruptionBudget',
      'Service',
      'Ingress',
    ]);
    expect(new Set(objects.map(({ metadata }) => metadata.name))).toEqual(new Set(['lintel-bridge']));
  });
});
