import type { Action } from '@lintel/wire-protocol/mqtt/messages/action';
import type { ActionResult } from '@lintel/wire-protocol/mqtt/messages/action-result';
import { expect, it } from 'vitest';
import { DeviceHotel } from '../../support/devices/device-hotel.ts';
import { onBothEngines } from '../../support/bridge/on-both-engines.ts';

const answer = (request: Action, given: Partial<ActionResult> = {}): ActionResult => ({
  v: 1,
  request_id: request.request_id,
  outcome: 'done',
  reason: null,
  event_id: null,
  ...given,
});

onBothEngines(
  'an action of the bridge',
  world => {
    it('is asked of the controller in its session, and its own event is the only one', async () => {
      const { client, controller, gadgetId } = await DeviceHotel.running(world());
      const asked = controller.next('action');
      const called = client.call('POST', `/gadgets/${gadgetId}/actions/open`, {});
      const request = await asked;
      expect(request).toMatchObject({
        session_nonce: controller.nonce,
        gadget_id: gadgetId,
        action_id: 'open',
        subject: { oauth_application_id: client.applicationId, access_method: 'online' },
      });
      const event = controller.event({
        kind: 'use',
        gadget_id: gadgetId as never,
        gadget_action_id: 'open',
        subject: request.subject,
        request_id: request.request_id,
      });
      await controller.say('action-result', answer(request, { event_id: event.id }));
      expect((await called).status).toBe(200);
      const ack = controller.next('ack');
      await controller.say('events', { v: 1, events: [event] });
      await ack;
      const { data } = await client.done('GET', '/events?verb=use&object.type=gadget_action');
      expect(data).toMatchObject([
        { id: event.id, subject: { oauth_application_id: client.applicationId, ip_address: '127.0.0.1' } },
      ]);
      await controller.stop();
    });

    it('is logged by the bridge when the controller names no event', async () => {
      const { client, controller, gadgetId } = await DeviceHotel.running(world());
      const asked = controller.next('action');
      const called = client.call('POST', `/gadgets/${gadgetId}/actions/open`, {});
      await controller.say('action-result', answer(await asked));
      expect((await called).status).toBe(200);
      expect((await client.done('GET', '/events?verb=use&object.type=gadget_action')).data).toHaveLength(1);
      await controller.stop();
    });

    it('is answered with hardware_offline when nobody is there, when the controller cannot, or when it is late', async () => {
      const { client, controller, gadgetId, url } = await DeviceHotel.open(world());
      const act = () => client.call('POST', `/gadgets/${gadgetId}/actions/open`, {});
      const offline = { status: 503, body: { type: 'hardware_offline' } };
      expect(await act()).toMatchObject(offline);
      await controller.start(url);
      const asked = controller.next('action');
      const called = act();
      await controller.say('action-result', answer(await asked, { outcome: 'interlocked' }));
      expect(await called).toMatchObject(offline);
      const late = controller.next('action');
      expect(await act()).toMatchObject(offline);
      await controller.say('action-result', answer(await late));
      await world().bridge.devices.idle();
      expect((await client.done('GET', '/events?verb=use&object.type=gadget_action')).data).toEqual([]);
      await controller.stop();
    });

    it('is not answered by another controller, nor twice', async () => {
      const { client, controller, gadgetId } = await DeviceHotel.running(world());
      const other = await DeviceHotel.running(world());
      const asked = controller.next('action');
      const called = client.call('POST', `/gadgets/${gadgetId}/actions/open`, {});
      const request = await asked;
      await other.controller.say('action-result', answer(request));
      await world().bridge.devices.idle();
      await controller.say('action-result', answer(request, { outcome: 'failed' }));
      await controller.say('action-result', answer(request));
      expect((await called).status).toBe(503);
      await other.controller.stop();
      await controller.stop();
    });
  },
  { actionDeadlineMs: 300 },
);
