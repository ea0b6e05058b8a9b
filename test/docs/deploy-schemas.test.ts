import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { findKubernetesErrors } from './find-kubernetes-type-errors.ts';

const deploy = join(import.meta.dirname, '../../deploy');

const readDocuments = (file: string): Record<string, unknown>[] =>
  parseAllDocuments(readFileSync(join(deploy, file), 'utf8'), { merge: true }).map(
    document => document.toJS() as Record<string, unknown>,
  );

/** The schema of the Compose specification. It accepts no unknown keys. */
const composeSchema = (): object => {
  const folder = dirname(fileURLToPath(import.meta.resolve('dclint/package.json')));
  return JSON.parse(readFileSync(join(folder, 'schemas/compose.schema.json'), 'utf8')) as object;
};

describe('Compose files', () => {
  const files = globSync('compose/*/compose.yaml', { cwd: deploy });
  const ajv = new Ajv({ strict: false, allErrors: true });
  const { $schema: _, ...schema } = composeSchema() as { $schema: string };
  const validate = ajv.compile(schema);
  const errorsOf = (document: unknown): string[] => {
    validate(document);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };

  it('exist', () => expect(files.toSorted()).toEqual(['compose/cluster/compose.yaml', 'compose/small/compose.yaml']));

  it.each(files)('%s fits the schema of the Compose specification', file => {
    for (const document of readDocuments(file)) expect(errorsOf(document)).toEqual([]);
  });

  it.each([
    ['an unknown key', { read_onyl: true }],
    ['a value of the wrong type', { restart: 3 }],
    ['an unknown condition', { depends_on: { caddy: { condition: 'service_ready' } } }],
  ])('with %s do not fit', (_name, wrong) => {
    const [document] = readDocuments('compose/small/compose.yaml');
    const { services } = document as { services: Record<string, object> };
    const changed = { ...document, services: { ...services, bridge: { ...services['bridge'], ...wrong } } };
    expect(errorsOf(changed).join('\n')).toMatch(/^\/services\/bridge/);
  });
});

describe('Kubernetes manifests', () => {
  const objects = globSync('kubernetes/*.yaml', { cwd: deploy }).flatMap(readDocuments);
  const deployment = objects.find(({ kind }) => kind === 'Deployment') as { readonly spec: object };
  const withSpec = (wrong: object) => ({ ...deployment, spec: { ...deployment.spec, ...wrong } });

  it('fit the types of Kubernetes, and wrong ones do not', () => {
    const wrong: readonly (readonly [object, string])[] = [
      [withSpec({ replicaz: 3 }), 'replicaz'],
      [withSpec({ replicas: 'three' }), "type 'number'"],
      [withSpec({ selector: undefined }), 'selector'],
      [withSpec({ strategy: { rollingUpdate: { maxUnavailble: 1 } } }), 'maxUnavailble'],
      [{ ...deployment, apiVersion: 'apps/v1beta1' }, 'apps/v1beta1'],
    ];
    const errors = findKubernetesErrors([...objects, ...wrong.map(([object]) => object)]);
    expect(errors.slice(0, objects.length).flat()).toEqual([]);
    for (const [index, [, message]] of wrong.entries())
      expect(errors[objects.length + index]!.join('\n')).toContain(message);
  });
});
