import {
  type RemoteTechnicianOperation,
  remoteTechnicianOperations,
} from '@lintel/wire-protocol/mqtt/remote-technician-operations';
import { TECHNICIAN_API_ROOT } from '../http/technician-route-definition.ts';

/** Null for parameters that are not those of the operation. */
export const buildRemoteOperationUrl = (
  operation: RemoteTechnicianOperation,
  parameters: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>,
): string | null => {
  const { path } = remoteTechnicianOperations[operation];
  const names = path.split('/').flatMap(segment => (segment.startsWith(':') ? [segment.slice(1)] : []));
  const hasParameters = names.length === Object.keys(parameters).length && names.every(name => name in parameters);
  // The encoding leaves dots as they are, and a URL resolves these two segments.
  if (!hasParameters || Object.values(parameters).some(value => value === '.' || value === '..')) return null;
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name]!));
  const search = new URLSearchParams(query).toString();
  return `${TECHNICIAN_API_ROOT}${filled}${search === '' ? '' : `?${search}`}`;
};
