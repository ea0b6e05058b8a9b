/** What a controller or gateway reports of an update. */
export const updateReportStates = [
  'downloading',
  'ready',
  'switched',
  'confirmed',
  'rolled_back',
  'failed',
  'cancelled',
] as const;
export type UpdateReportState = (typeof updateReportStates)[number];
