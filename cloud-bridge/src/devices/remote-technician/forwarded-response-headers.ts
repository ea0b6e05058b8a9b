import type { ForwardedTechnicianResponse } from './technician-response-assembler.ts';

const allowedValues: Readonly<Record<string, RegExp>> = {
  'content-disposition': /^attachment; filename="[\w.-]{1,100}"$/,
  'retry-after': /^\d{1,6}$/,
  allow: /^[A-Z, ]{1,60}$/,
};

/** A compromised controller must not set cookies or policies for the origin of the bridge. */
export const selectForwardedResponseHeaders = ({
  headers,
}: Pick<ForwardedTechnicianResponse, 'headers'>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name, value]) => allowedValues[name]?.test(value) === true));
