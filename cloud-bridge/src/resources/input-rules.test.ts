import { beforeEach, describe, expect, it } from 'vitest';
import { captureApiError, useTestOrganization } from '../test-organization.test-support.ts';
import type { CreatedDevice } from './devices.ts';
import { copyInputRules, toInputRulesResponse, replaceInputRules } from './input-rules.ts';

const test = useTestOrganization();
let site: string;
let source: CreatedDevice;
beforeEach(async () => {
  site = (await test.organization.site()).id;
  source = await test.organization.device(site, { doors: ['A', 'B'] });
});

const ruleFor = (gadgetId: string, code = '') => ({ code, gadget_id: gadgetId as never, action_id: 'open' });
const replace = (device: CreatedDevice['device'], rules: object[], base?: string) =>
  test.organization.write(context =>
    replaceInputRules(context, device, { input_rules: rules, ...(base === undefined ? {} : { base }) }),
  );
const copyTo = (targets: readonly CreatedDevice[], ownGadgets: 'keep' | 'match', from = source.device) =>
  test.organization.write(context =>
    copyInputRules(
      context,
      from,
      targets.map(({ device }) => device),
      ownGadgets,
      async () => undefined,
    ),
  );

describe('replaceInputRules', () => {
  it('accepts the base of the current rules and rejects an older one', async () => {
    const { base } = toInputRulesResponse(source.device);
    const edited = await replace(source.device, [ruleFor(source.gadgets[0]!.id)], base);
    expect(await captureApiError(replace(edited, [], base))).toBe('invalid_request: base');
    expect((await replace(edited, [], toInputRulesResponse(edited).base)).input_rules).toBe('[]');
  });

  it('overwrites without a base', async () => {
    const edited = await replace(source.device, [ruleFor(source.gadgets[0]!.id)]);
    expect(toInputRulesResponse(edited).input_rules).toHaveLength(1);
  });
});

describe('toInputRulesResponse', () => {
  it('returns a base that depends only on the rules', async () => {
    const other = await test.organization.device(site);
    expect(toInputRulesResponse(other.device).base).toBe(toInputRulesResponse(source.device).base);
    const edited = await replace(source.device, [ruleFor(source.gadgets[0]!.id)]);
    expect(toInputRulesResponse(edited).base).not.toBe(toInputRulesResponse(source.device).base);
  });
});

describe('copyInputRules', () => {
  const gadgetIds = ({ input_rules }: { readonly input_rules: string }): string[] =>
    (JSON.parse(input_rules) as { gadget_id: string }[]).map(rule => rule.gadget_id);

  it('replaces own gadgets by those of the target with the same name, and leaves others', async () => {
    const shared = await test.organization.device(site);
    const target = await test.organization.device(site, { doors: ['B', 'A'] });
    const [a, b] = source.gadgets;
    const from = await replace(source.device, [
      ruleFor(b!.id, '#2'),
      ruleFor(shared.gadgets[0]!.id, '#3'),
      ruleFor(a!.id),
    ]);
    const [copied] = await copyTo([target], 'match', from);
    expect(gadgetIds(copied!)).toEqual([target.gadgets[0]!.id, shared.gadgets[0]!.id, target.gadgets[1]!.id]);
  });

  it('keeps the gadgets of the source with own_gadgets: keep', async () => {
    const from = await replace(source.device, [ruleFor(source.gadgets[0]!.id)]);
    const [copied] = await copyTo([await test.organization.device(site)], 'keep', from);
    expect(gadgetIds(copied!)).toEqual([source.gadgets[0]!.id]);
  });

  it('reports the target that lacks a gadget and changes no target', async () => {
    const from = await replace(source.device, [ruleFor(source.gadgets[1]!.id)]);
    const [good, small] = [
      await test.organization.device(site, { doors: ['B', 'A'] }),
      await test.organization.device(site),
    ];
    expect(await captureApiError(copyTo([good, small], 'match', from))).toBe('invalid_request: device_ids.1');
    const rows = await test.organization.write(({ db }) =>
      db.selectFrom('devices').select('input_rules').where('id', '=', good.device.id).execute(),
    );
    expect(rows).toEqual([{ input_rules: '[]' }]);
  });

  it('reports the target whose product has no input rules', async () => {
    const from = await replace(source.device, [ruleFor(source.gadgets[0]!.id)]);
    const gateway = await test.organization.device(site, { product: 'gateway', doors: [] });
    expect(await captureApiError(copyTo([gateway], 'keep', from))).toBe('invalid_request: device_ids.0');
  });
});
