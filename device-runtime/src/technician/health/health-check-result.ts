import type { HealthCheck } from '@lintel/wire-protocol/technician/health';

/** The result of one health check. */
export type HealthCheckResult = Pick<HealthCheck, 'state' | 'found'> & { readonly advice?: string };

export const createHealthOk = (found: string): HealthCheckResult => ({ state: 'ok', found });
export const createHealthUnknown = (found: string): HealthCheckResult => ({ state: 'unknown', found });
export const createHealthWarning = (found: string, advice: string): HealthCheckResult => ({
  state: 'warn',
  found,
  advice,
});
export const createHealthFailure = (found: string, advice: string): HealthCheckResult => ({
  state: 'fail',
  found,
  advice,
});

export const toHealthCheck = (
  id: string,
  title: string,
  { state, found, advice = '' }: HealthCheckResult,
): HealthCheck => ({
  id,
  title,
  state,
  found,
  advice: advice === '' ? null : advice,
});
