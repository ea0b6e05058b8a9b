import { plural } from './plural.ts';

export const heading = 'Copy to other controllers';
export const hint = 'Copies the current rules when online.';
export const none = 'This site has no other controllers.';
export const to = 'Copy to';
export const unnamed = 'Controller';
export const own = 'A rule for a gadget of this controller is copied to the gadget with the same name.';
export const submit = (count: number) => `Copy to ${plural(count, 'controller', 'controllers')}`;
export const state = { waiting: 'waiting for the bridge', copied: 'copied', refused: 'rejected' };
export const started = 'Copying the rules';
