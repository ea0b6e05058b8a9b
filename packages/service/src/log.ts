export type { Log as LinkLog } from './log/log.ts';
