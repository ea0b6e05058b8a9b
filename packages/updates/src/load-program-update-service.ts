import type { ProgramUpdateService, ProgramUpdateServiceDependencies } from './program-update-service.ts';

/** Null for a program without a launcher, which cannot be updated. Loads the implementation only when it is needed. */
export const loadProgramUpdateService = async (
  deps: ProgramUpdateServiceDependencies,
): Promise<ProgramUpdateService | null> => {
  if (deps.env['LINTEL_RELEASES'] === undefined) return null;
  const { ProgramUpdateService } = await import('./program-update-service.ts');
  return new ProgramUpdateService(deps);
};
