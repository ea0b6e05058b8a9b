import { toDateTimeOrNull } from '@lintel/wire-protocol/schema-parts/date-time';
import { type AttentionItem, attentionResponseSchema } from '@lintel/wire-protocol/admin/attention-items';
import type { AdminPermission } from '@lintel/wire-protocol/permissions/admin-permissions';
import { hasPermission } from '../../accounts/role-permissions.ts';
import {
  createAttentionItem,
  loadConfirmationAttentionItems,
  loadReplacedControllerAttentionItems,
  loadCredentialDeliveryAttentionItems,
  loadDeviceAttentionItems,
  loadDoorAttentionItems,
  loadUnlockedDoorAttentionItems,
} from '../../devices/load-attention-items.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';
import { canAccessSite } from '../site-access.ts';
import { describeIncidentKind } from './incidents.ts';

const loadWebhookAttention = async ({ storage }: BridgeServices, organizationId: string): Promise<AttentionItem[]> => {
  const rows = await storage.reader
    .selectFrom('webhooks as w')
    .innerJoin('oauth_applications as a', 'a.id', 'w.oauth_application_id')
    .select(['w.id', 'w.oauth_application_id', 'w.failing_since', 'a.name'])
    .where('w.organization_id', '=', organizationId)
    .where('w.is_deleted', '=', 0)
    .where('w.is_enabled', '=', 1)
    .where('w.failing_since', 'is not', null)
    .execute();
  return rows.map(({ id, oauth_application_id, failing_since, name }) =>
    createAttentionItem('webhook_failing', 'warning', `A webhook of ${name} accepts no events`, {
      webhook_id: id,
      oauth_application_id,
      since: toDateTimeOrNull(failing_since),
    }),
  );
};

const loadUpdateAttention = async ({ storage }: BridgeServices, organizationId: string): Promise<AttentionItem[]> => {
  const rows = await storage.reader
    .selectFrom('rollouts as r')
    .innerJoin('releases as v', 'v.id', 'r.release_id')
    .leftJoin('rollout_devices as d', join =>
      join
        .onRef('d.rollout_id', '=', 'r.id')
        .on('d.state', 'not in', ['confirmed', 'rolled_back', 'failed', 'cancelled']),
    )
    .select(({ fn }) => [
      'r.id',
      'r.state',
      'r.reason',
      'r.created_at',
      'v.version',
      fn.count<number>('d.device_id').as('count'),
    ])
    .where('r.organization_id', '=', organizationId)
    .where('r.state', 'in', ['running', 'paused', 'halted'])
    .groupBy(['r.id', 'r.state', 'r.reason', 'r.created_at', 'v.version'])
    .execute();
  return rows.map(({ id, state, reason, created_at, version, count }) => {
    const isHalted = state === 'halted';
    const text = isHalted
      ? `The update to ${version} is halted: ${reason ?? 'too many failures'}`
      : `The update to ${version} waits for ${count} ${count === 1 ? 'device' : 'devices'}`;
    return createAttentionItem(isHalted ? 'update_halted' : 'update_waiting', isHalted ? 'warning' : 'notice', text, {
      rollout_id: id,
      since: toDateTimeOrNull(created_at),
      count: count,
    });
  });
};

const loadIncidentAttention = async ({ storage }: BridgeServices, organizationId: string): Promise<AttentionItem[]> => {
  const rows = await storage.reader
    .selectFrom('incidents')
    .select(['id', 'kind', 'created_at'])
    .where('organization_id', '=', organizationId)
    .where('acknowledged_at', 'is', null)
    .execute();
  return rows.map(({ id, kind: fault, created_at }) =>
    createAttentionItem('incident', 'alarm', describeIncidentKind(fault), {
      incident_id: id,
      fault,
      since: toDateTimeOrNull(created_at),
    }),
  );
};

const loadRuleConflicts = async ({ storage }: BridgeServices, organizationId: string): Promise<AttentionItem[]> => {
  const rows = await storage.reader
    .selectFrom('rule_conflicts as c')
    .innerJoin('devices as d', 'd.id', 'c.device_id')
    .select(['c.device_id', 'd.site_id', 'd.name', 'c.recorded_at'])
    .where('c.organization_id', '=', organizationId)
    .where('d.is_deleted', '=', 0)
    .execute();
  return rows.map(({ device_id, site_id, name, recorded_at }) =>
    createAttentionItem(
      'input_rules_conflict',
      'warning',
      `${name}: input rules were changed at the controller and here`,
      {
        device_id,
        site_id,
        since: toDateTimeOrNull(recorded_at),
      },
    ),
  );
};

type Load = (services: BridgeServices, organizationId: string) => Promise<AttentionItem[]>;

const severities = ['alarm', 'warning', 'notice'];

export const createAttentionEndpoints = (services: BridgeServices): AdminEndpoint[] => [
  defineAdminEndpoint({
    requiredPermission: 'devices.read',
    method: 'GET',
    path: `${ORGANIZATION_PATH_PREFIX}/attention`,
    tag: 'Organization',
    summary: 'List what needs attention: alarms, faults, offline devices, pending updates, failing webhooks',
    response: attentionResponseSchema,
    handle: async ({ caller }) => {
      const { organizationId } = caller;
      const allowed = async (permission: AdminPermission, load: Load): Promise<AttentionItem[]> =>
        hasPermission(caller, permission) ? load(services, organizationId) : [];
      const sources = [
        allowed('events.read', loadIncidentAttention),
        allowed('gadgets.read', loadDoorAttentionItems),
        allowed('gadgets.read', loadUnlockedDoorAttentionItems),
        allowed('devices.confirm', loadConfirmationAttentionItems),
        allowed('devices.read', loadDeviceAttentionItems),
        allowed('devices.read', loadReplacedControllerAttentionItems),
        allowed('members.read', loadCredentialDeliveryAttentionItems),
        allowed('input_rules.read', loadRuleConflicts),
        allowed('updates.read', loadUpdateAttention),
        allowed('applications.read', loadWebhookAttention),
      ];
      const items = (await Promise.all(sources)).flat();
      return {
        items: items
          .filter(({ site_id }) => site_id === null || canAccessSite(caller, site_id))
          .toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity)),
      };
    },
  }),
];
