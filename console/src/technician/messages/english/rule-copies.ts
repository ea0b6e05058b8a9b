import { formatCount } from './format-count.ts';

export const heading = 'Copy to other controllers';
export const hint = 'Copies the current rules when online.';
export const noOtherControllers = 'This site has no other controllers.';
export const copyToLabel = 'Copy to';
export const unnamedController = 'Controller';
export const ownGadgetHint = 'A rule for a gadget of this controller is copied to the gadget with the same name.';
export const copyButton = (count: number) => `Copy to ${formatCount(count, 'controller', 'controllers')}`;
export const copyStateNames = { waiting: 'waiting for the bridge', copied: 'copied', refused: 'rejected' };
export const copyStarted = 'Copying the rules';
