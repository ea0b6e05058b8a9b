import { expect, it } from 'vitest';
import { findAttentionItemPath } from './find-attention-item-path.ts';

const none = { rollout_id: null, webhook_id: null, oauth_application_id: null, gadget_id: null, device_id: null };

it.each([
  [{ gadget_id: 'gad_1', device_id: 'dev_1' }, '/doors/gad_1'],
  [{ device_id: 'dev_1' }, '/devices/dev_1'],
  [{ webhook_id: 'whk_1', oauth_application_id: 'app_1' }, '/developers/applications/app_1/webhooks/whk_1'],
  [{ rollout_id: 'rol_1', device_id: 'dev_1' }, '/updates/rol_1'],
  [{}, null],
])('leads from %j to %s', (given, path) => {
  expect(findAttentionItemPath({ ...none, ...given } as never)).toBe(path);
});
