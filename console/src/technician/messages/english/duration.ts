import { plural } from './plural.ts';

export const seconds = (count: number) => plural(count, 'second', 'seconds');
export const minutes = (count: number) => plural(count, 'minute', 'minutes');
export const hours = (count: number) => plural(count, 'hour', 'hours');
export const days = (count: number) => plural(count, 'day', 'days');
