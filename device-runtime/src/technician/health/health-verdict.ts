import type { HealthCheck } from '@lintel/wire-protocol/technician/health';

/** What one check has come to. */
export type Verdict = Pick<HealthCheck, 'state' | 'found'> & { readonly advice?: string };

export const ok = (found: string): Verdict => ({ state: 'ok', found });
export const unknown = (found: string): Verdict => ({ state: 'unknown', found });
export const warn = (found: string, advice: string): Verdict => ({ state: 'warn', found, advice });
export const fail = (found: string, advice: string): Verdict => ({ state: 'fail', found, advice });

export const check = (id: string, title: string, { state, found, advice = '' }: Verdict): HealthCheck => ({
  id,
  title,
  state,
  found,
  advice: advice === '' ? null : advice,
});
