import { formatCount } from '../../../components/texts/format-count.ts';

export const secondsText = (count: number) => formatCount(count, 'second', 'seconds');
export const minutesText = (count: number) => formatCount(count, 'minute', 'minutes');
export const hoursText = (count: number) => formatCount(count, 'hour', 'hours');
export const daysText = (count: number) => formatCount(count, 'day', 'days');
