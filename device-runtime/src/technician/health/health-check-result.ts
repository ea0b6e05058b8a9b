import type { HealthCheck } from '@lintel/wire-protocol/technician/health';

/** The result of one health check. */
export type HealthCheckResult = Pick<HealthCheck, 'state' | 'found'> & { readonly advice?: string };

export const createOkHealthResult = (found: string): HealthCheckResult => ({ state: 'ok', found });
export const createUnknownHealthResult = (found: string): HealthCheckResult => ({ state: 'unknown', found });
export const createWarningHealthResult = (found: string, advice: string): HealthCheckResult => ({
  state: 'warn',
  found,
  advice,
});
export const createFailedHealthResult = (found: string, advice: string): HealthCheckResult => ({
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
