import { join } from 'node:path';
import ts from 'typescript';

const file = join(import.meta.dirname, 'manifest.ts');

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  lib: ['lib.es5.d.ts'],
  allowImportingTsExtensions: true,
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
};

/** One line for each object, so that the line of an error tells which object it is in. */
const toSource = (objects: readonly object[]): string =>
  [
    ...objects.map((object, index) => `export const object${index}: KubernetesObject = ${JSON.stringify(object)};`),
    `import type { KubernetesObject } from './kubernetes-object-types.ts';`,
  ].join('\n');

/**
 * The errors in each of the objects: unknown keys, missing keys and values of the wrong type. The compiler compares the
 * objects as literals with the types of Kubernetes.
 */
export const findKubernetesErrors = (objects: readonly object[]): string[][] => {
  const source = toSource(objects);
  const host = ts.createCompilerHost(options);
  const readSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (name, languageVersion, ...rest) =>
    name === file ? ts.createSourceFile(name, source, languageVersion) : readSourceFile(name, languageVersion, ...rest);
  const program = ts.createProgram([file], options, host);
  const errors = objects.map((): string[] => []);
  for (const { file: found, start = 0, messageText } of ts.getPreEmitDiagnostics(program)) {
    const message = ts.flattenDiagnosticMessageText(messageText, '\n');
    const object = found?.fileName === file ? errors[found.getLineAndCharacterOfPosition(start).line] : undefined;
    if (object === undefined) throw new Error(`The types of Kubernetes cannot be compiled: ${message}`);
    object.push(message);
  }
  return errors;
};
