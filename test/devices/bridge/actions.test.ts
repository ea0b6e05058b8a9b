import type { ActionMqttMessage } from '@lintel/wire-protocol/mqtt/messages/action';
import type { ActionResultMqttMessage } from '@lintel/wire-protocol/mqtt/messages/action-result';
import { expect, it } from 'vitest';
import { ControllerSite } from '../../support/devices/controller-site.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { ManualTimers } from '../../support/manual-timers.ts';

const resultOf = (
  request: ActionMqttMessage,
  given: Partial<ActionResultMqttMessage> = {},
): ActionResultMqttMessage => ({
  v: 1,
  request_id: request.request_id,
  outcome: 'done',
  reason: null,
  event_id: null,
  ...given,
});

const offline = { status: 503, body: { type: 'hardware_offline' } };

describeOnSqliteFirst('POST /gadgets/:id/actions/:id at a connected controller', bridge => {
  it('asks the controller in its session and records only the event of the controller', async () => {
    const { client, controller, gadgetId } = await ControllerSite.openConnected(bridge());
    const requested = controller.next('action');
    const called = client.call('POST', `/gadgets/${gadgetId}/actions/open`, {});
    const request = await requested;
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
    await controller.send('action-result', resultOf(request, { event_id: event.id }));
    expect((await called).status).toBe(200);
    const ack = controller.next('ack');
    await controller.send('events', { v: 1, events: [event] });
    await ack;
    const { data } = await client.callOk('GET', '/events?verb=use&object.type=gadget_action');
    expect(data).toMatchObject([
      { id: event.id, subject: { oauth_application_id: client.applicationId, ip_address: '127.0.0.1' } },
    ]);
    await controller.stop();
  });

  it('records an event of its own when the result of the controller names none', async () => {
    const { client, controller, gadgetId } = await ControllerSite.openConnected(bridge());
    const requested = controller.next('action');
    const called = client.call('POST', `/gadgets/${gadgetId}/actions/open`, {});
    await controller.send('action-result', resultOf(await requested));
    expect((await called).status).toBe(200);
    expect((await client.callOk('GET', '/events?verb=use&object.type=gadget_action')).data).toHaveLength(1);
    await controller.stop();
  });

  it('responds with hardware_offline when the controller is not connected or cannot execute the action', async () => {
    const { client, controller, gadgetId, url } = await ControllerSite.open(bridge());
    const act = () => client.call('POST', `/gadgets/${gadgetId}/actions/open`, {});
    expect(await act()).toMatchObject(offline);
    await controller.start(url);
    const requested = controller.next('action');
    const called = act();
    await controller.send('action-result', resultOf(await requested, { outcome: 'interlocked' }));
    expect(await called).toMatchObject(offline);
    await controller.stop();
  });

  it('takes the result only from the controller of the gadget, and only once', async () => {
    const { client, controller, gadgetId } = await ControllerSite.openConnected(bridge());
    const other = await ControllerSite.openConnected(bridge());
    const requested = controller.next('action');
    const called = client.call('POST', `/gadgets/${gadgetId}/actions/open`, {});
    const request = await requested;
    await other.controller.send('action-result', resultOf(request));
    await bridge().devices.whenIdle();
    await controller.send('action-result', resultOf(request, { outcome: 'failed' }));
    await controller.send('action-result', resultOf(request));
    expect((await called).status).toBe(503);
    await other.controller.stop();
    await controller.stop();
  });
});

const timers = new ManualTimers();

describeOnSqliteFirst(
  'POST /gadgets/:id/actions/:id after the action deadline',
  bridge => {
    it('responds with hardware_offline and ignores a late result', async () => {
      const { client, controller, gadgetId } = await ControllerSite.openConnected(bridge());
      const requested = controller.next('action');
      const response = client.call('POST', `/gadgets/${gadgetId}/actions/open`, {});
      const request = await requested;
      await timers.fire();
      expect(await response).toMatchObject(offline);
      await controller.send('action-result', resultOf(request));
      await bridge().devices.whenIdle();
      expect((await client.callOk('GET', '/events?verb=use&object.type=gadget_action')).data).toEqual([]);
      await controller.stop();
    });
  },
  { timers },
);
