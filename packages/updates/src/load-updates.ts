import type { ProgramUpdates, ProgramUpdatesDependencies } from './program-updates.ts';

/** Null for a program without a launcher, which cannot be updated. Loads the implementation only when it is needed. */
export const loadProgramUpdates = async (deps: ProgramUpdatesDependencies): Promise<ProgramUpdates | null> => {
  if (deps.env['LINTEL_RELEASES'] === undefined) return null;
  const { ProgramUpdates } = await import('./program-updates.ts');
  return new ProgramUpdates(deps);
};
