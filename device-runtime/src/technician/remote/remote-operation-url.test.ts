import { describe, expect, it } from 'vitest';
import { buildRemoteOperationUrl } from './remote-operation-url.ts';

const actionUrl = (gadget_id: string, action_id: string) =>
  buildRemoteOperationUrl('run_action', { gadget_id, action_id }, {});

describe('buildRemoteOperationUrl', () => {
  it('fills in the parameters and the query', () => {
    expect(buildRemoteOperationUrl('list_events', {}, { limit: '5', kind: 'use&x' })).toBe(
      '/technician/v1/events?limit=5&kind=use%26x',
    );
    expect(actionUrl('gad_1', 'open')).toBe('/technician/v1/gadgets/gad_1/actions/open');
  });

  it('keeps each parameter in its own segment', () => {
    for (const value of ['..\\..\\commissioning', '../../commissioning', '..%2f..', 'a?b', 'a#b', 'ü/😀', '%2e%2e']) {
      const { pathname } = new URL(actionUrl('x', value)!, 'http://controller');
      expect(pathname.split('/').slice(0, 6)).toEqual(['', 'technician', 'v1', 'gadgets', 'x', 'actions']);
      expect(pathname.split('/')).toHaveLength(7);
      expect(decodeURIComponent(pathname.split('/')[6]!)).toBe(value);
    }
  });

  it('rejects segments that a URL resolves', () => {
    expect(actionUrl('..', 'open')).toBeNull();
    expect(actionUrl('x', '.')).toBeNull();
  });

  it('rejects missing and additional parameters', () => {
    expect(buildRemoteOperationUrl('run_action', { gadget_id: 'x' }, {})).toBeNull();
    expect(buildRemoteOperationUrl('get_status', { gadget_id: 'x' }, {})).toBeNull();
    expect(buildRemoteOperationUrl('pulse_output', { station: 'x' }, {})).toBeNull();
  });
});
