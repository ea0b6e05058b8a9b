import type { EndpointDescription } from '../../api/define-endpoint.ts';
import { buildOperationId } from '../openapi/operation-id.ts';

const PARAMETER = /:([a-z_]+)/g;

const camelCase = (snake: string): string => snake.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const pathWith = (path: string, variable: (name: string) => string): string =>
  path.replaceAll(PARAMETER, (_, name: string) => variable(name));

const curl = ({ method, path }: EndpointDescription, body: object | undefined): string => {
  const address = `"$BASE_URL${pathWith(path, name => `$${name.toUpperCase()}`)}"`;
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${address}`, `  -H "Authorization: Bearer $TOKEN"`];
  if (body !== undefined) lines.push(`  -H "Content-Type: application/json"`, `  -d '${JSON.stringify(body)}'`);
  return lines.join(' \\\n');
};

const indented = (text: string): string => text.replaceAll('\n', '\n  ');

/** With `@lintel/client`, which knows the operations of the public API. */
const clientCall = (endpoint: EndpointDescription, body: object | undefined): string => {
  const names = [...endpoint.path.matchAll(PARAMETER)].map(([, name = '']) => name);
  const given = [
    ...(names.length === 0 ? [] : [`  path: { ${names.map(name => `${name}: ${camelCase(name)}`).join(', ')} },`]),
    ...(body === undefined ? [] : [`  body: ${indented(JSON.stringify(body, null, 2))},`]),
  ];
  const call = `lintel.call('${buildOperationId(endpoint)}'`;
  return [
    "import { LintelClient } from '@lintel/client';",
    '',
    'const lintel = new LintelClient({ baseUrl, token });',
    ...(given.length === 0 ? [`const result = await ${call});`] : [`const result = await ${call}, {`, ...given, '});']),
  ].join('\n');
};

const fetchCall = ({ method, path }: EndpointDescription, body: object | undefined): string => {
  const address = `\`\${baseUrl}${pathWith(path, name => `\${${camelCase(name)}}`)}\``;
  const headers = [
    '    Authorization: `Bearer ${token}`,',
    ...(body === undefined ? [] : ["    'Content-Type': 'application/json',"]),
  ];
  return [
    `const response = await fetch(${address}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    ...headers,
    '  },',
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2))}),`]),
    '});',
    'if (!response.ok) throw new Error(await response.text());',
    'const result = await response.json();',
  ].join('\n');
};

const literals: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** A JSON value as a Python expression. */
const pythonValue = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, inner]) => `${JSON.stringify(name)}: ${pythonValue(inner)}`)
      .join(', ')}}`;
  return literals[String(value)] ?? JSON.stringify(value);
};

const python = ({ method, path }: EndpointDescription, body: object | undefined): string =>
  [
    'import json, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    f"{base_url}${pathWith(path, name => `{${name}}`)}",`,
    `    method="${method}",`,
    `    headers={"Authorization": f"Bearer {token}"${body === undefined ? '' : ', "Content-Type": "application/json"'}},`,
    ...(body === undefined ? [] : [`    data=json.dumps(${pythonValue(body)}).encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    result = json.load(response)',
  ].join('\n');

/** The call of an endpoint in each language. Only TypeScript needs a package, for the APIs that have a client. The introduction says how to install it. */
export const createCodeSamples = (
  endpoint: EndpointDescription,
  body: object | undefined,
  hasClient: boolean,
): Readonly<Record<'curl' | 'TypeScript' | 'Python', string>> => ({
  curl: curl(endpoint, body),
  TypeScript: (hasClient ? clientCall : fetchCall)(endpoint, body),
  Python: python(endpoint, body),
});
