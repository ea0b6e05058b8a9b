export const copyRulesHeading = 'Copy to another controller';
export const copyRulesHint =
  'Compare the rules first. The copy runs there on trial and replaces its rules only if you keep it.';
export const noOtherControllers = 'This site has no other controllers.';
export const copyRequiresOnlineController = 'This controller is offline. Copy the rules when it is online.';
export const copyToLabel = 'Copy to';
export const chooseController = 'Choose a controller…';
export const unnamedController = 'Controller';
export const rulesUnknown = 'The rules of this controller are not known yet. Wait a moment, then choose it again.';
export const gadgetMappingLabel = (gadget: string) => `Instead of ${gadget}`;
export const chooseGadget = 'Choose…';
export const noMatchingGadget = (gadget: string) =>
  `The other controller does not have exactly one gadget named ${gadget}. Choose the gadget that the rules open there.`;
export const missingActions = (gadget: string, actions: readonly string[]) =>
  `${gadget} does not have the action ${actions.join(', ')}. Choose another gadget, or change the rule first.`;
export const targetRulesHeading = (name: string) => `${name} now`;
export const targetRulesAfterCopyHeading = (name: string) => `${name} with the copy`;
export const targetHasSameRules = 'The other controller already has these rules.';
export const copyTrialHint = (name: string) => `${name} reverts to its rules in 2 minutes unless you keep the copy.`;
export const startTrialButton = (name: string) => `Try at ${name}`;
export const copyTrialStarting = (name: string) => `Starting the trial at ${name}`;
export const undoButton = 'Undo';
export const copyStateNames = {
  waiting: 'waiting for the controller',
  on_trial: 'on trial',
  kept: 'has the copied rules',
  reverted: 'has its previous rules',
  refused: 'not changed',
};
