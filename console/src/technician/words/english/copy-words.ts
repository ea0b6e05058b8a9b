import { plural } from './plural.ts';

export const heading = 'Copy to other controllers';
export const hint = 'The rules in force here, through the bridge: it waits for a line.';
export const none = 'This controller knows no other one of its site.';
export const to = 'Copy to';
export const unnamed = 'Controller';
export const own = 'Rules to gadgets of this controller lead to those of the same name there.';
export const press = (count: number) => `Copy to ${plural(count, 'controller', 'controllers')}`;
export const state = { waiting: 'waits for the bridge', copied: 'copied', refused: 'refused' };
export const asked = 'The rules are on their way.';
