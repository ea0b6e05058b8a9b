import { formatCount } from '../../../components/texts/format-count.ts';

export const heading = 'History';
export const noVersions = 'No changes yet.';
export const changedInCloud = 'changed in the cloud';
export const changedWithSetupCode = 'technician with the setup code';
export const changedByTechnician = (userId: string) => `technician ${userId}`;
export const currentVersion = 'current';
export const ruleCount = (count: number) => formatCount(count, 'rule', 'rules');
export const thisVersion = 'This version';
export const currentRules = 'Current rules';
export const restoreButton = 'Restore this version';
export const restored = 'The version is your draft now. Apply it to make it active.';
