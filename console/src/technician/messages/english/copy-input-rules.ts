export const copyInputRulesHeading = 'Copy to another controller';
export const copyInputRulesHint =
  'Compare the rules first. The copy runs there on trial and replaces its rules only if you keep it.';
export const noOtherControllersText = 'This site has no other controllers.';
export const copyRequiresOnlineControllerText = 'This controller is offline. Copy the rules when it is online.';
export const copyToLabel = 'Copy to';
export const chooseControllerPlaceholder = 'Choose a controller…';
export const unnamedControllerText = 'Controller';
export const targetRulesUnknownText =
  'The rules of this controller are not known yet. Wait a moment, then choose it again.';
export const replacementGadgetLabel = (gadget: string) => `Instead of ${gadget}`;
export const chooseGadgetPlaceholder = 'Choose…';
export const noMatchingGadgetText = (gadget: string) =>
  `The other controller does not have exactly one gadget named ${gadget}. Choose the gadget that the rules open there.`;
export const missingActionsText = (gadget: string, actions: readonly string[]) =>
  `${gadget} does not have the action ${actions.join(', ')}. Choose another gadget, or change the rule first.`;
export const targetRulesHeading = (name: string) => `${name} now`;
export const targetRulesAfterCopyHeading = (name: string) => `${name} with the copy`;
export const targetHasSameRulesText = 'The other controller already has these rules.';
export const copyInputRulesTrialHint = (name: string) =>
  `${name} reverts to its rules in 2 minutes unless you keep the copy.`;
export const startCopyTrialButton = (name: string) => `Try at ${name}`;
export const copyTrialStartingText = (name: string) => `Starting the trial at ${name}`;
export const undoButton = 'Undo';
export const copyStateNames = {
  waiting: 'waiting for the controller',
  on_trial: 'on trial',
  kept: 'has the copied rules',
  reverted: 'has its previous rules',
  refused: 'not changed',
};
