import { formatCount } from '../../../components/texts/format-count.ts';

export const inputRuleHistoryHeading = 'History';
export const noInputRuleVersionsText = 'No changes yet.';
export const changedInCloudLabel = 'changed in the cloud';
export const changedWithSetupCodeText = 'technician with the setup code';
export const changedByTechnicianText = (userId: string) => `technician ${userId}`;
export const currentVersionBadge = 'current';
export const inputRuleCountText = (count: number) => formatCount(count, 'rule', 'rules');
export const selectedVersionHeading = 'This version';
export const activeRulesHeading = 'Current rules';
export const restoreInputRulesButton = 'Restore this version';
export const versionRestoredText = 'The version is your draft now. Apply it to make it active.';
