import { formatCount } from '../../../components/texts/format-count.ts';

export const secondCount = (count: number) => formatCount(count, 'second', 'seconds');
export const minuteCount = (count: number) => formatCount(count, 'minute', 'minutes');
export const hourCount = (count: number) => formatCount(count, 'hour', 'hours');
export const dayCount = (count: number) => formatCount(count, 'day', 'days');
