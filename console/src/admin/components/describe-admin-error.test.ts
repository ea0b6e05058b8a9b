import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ApiRequestError } from '../api/send-request.ts';
import { adminMessages } from '../messages/en.ts';
import { describeAdminError } from './describe-admin-error.ts';

const describeRejected = (message: string, args: Readonly<Record<string, string>> = {}): string =>
  describeAdminError(adminMessages, new ApiRequestError(400, { type: 'invalid_request', message, args }));

describe('describeAdminError', () => {
  it('shows no identifiers', () => {
    const id = 'mem_01m7mwgndwje69g0nwfe2s1axg';
    expect(describeRejected(`The field 'uid' is already in use by the card ${id}.`)).not.toContain('01m7mw');
    expect(describeRejected(`The field 'uid' is already in use by the member ${id}.`, { member_id: id })).toBe(
      'This card belongs to another member.',
    );
    expect(describeRejected("The field 'name' is missing.")).toContain("The field 'name' is missing.");
  });

  it('says that the bridge cannot be reached only for a request without a response', () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => log.mockRestore());
    const offline = describeAdminError(adminMessages, new ApiRequestError(null, {}));
    expect(offline).toBe(adminMessages.general.offline);
    expect(log).not.toHaveBeenCalled();
    const fault = new TypeError('x is undefined');
    expect(describeAdminError(adminMessages, fault)).toBe(adminMessages.general.pageFault);
    expect(describeAdminError(adminMessages, fault)).toBe(adminMessages.general.pageFault);
    expect(log.mock.calls).toEqual([[fault]]);
  });
});
