import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { html } from './markup.ts';

it('escapes values, and keeps markup that it made itself', () => {
  const inner = html`<b>${'<i>&"\''}</b>`;
  expect(html`<p title="${'"x'}">${inner}${[inner]}${null}${7}</p>`.text).toBe(
    '<p title="&quot;x"><b>&lt;i&gt;&amp;&quot;&#39;</b><b>&lt;i&gt;&amp;&quot;&#39;</b>7</p>',
  );
});

it('lets no text break out of an element or an attribute', () => {
  fc.assert(
    fc.property(fc.string(), text => {
      expect(html`${text}`.text).not.toMatch(/[<>"']/);
    }),
  );
});
