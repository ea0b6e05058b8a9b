import { formatCount } from '../../../components/texts/format-count.ts';

export const ruleHistoryHeading = 'History';
export const noRuleVersions = 'No changes yet.';
export const changedInCloudLabel = 'changed in the cloud';
export const changedWithSetupCode = 'technician with the setup code';
export const changedByTechnician = (userId: string) => `technician ${userId}`;
export const currentVersionBadge = 'current';
export const ruleCount = (count: number) => formatCount(count, 'rule', 'rules');
export const selectedVersionHeading = 'This version';
export const activeRulesHeading = 'Current rules';
export const restoreButton = 'Restore this version';
export const versionRestored = 'The version is your draft now. Apply it to make it active.';
