import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from './html-template.ts';

describe('html', () => {
  it('escapes values and keeps its own markup', () => {
    const inner = html`<b>${'<i>&"\''}</b>`;
    expect(html`<p title="${'"x'}">${inner}${[inner]}${null}${7}</p>`.text).toBe(
      '<p title="&quot;x"><b>&lt;i&gt;&amp;&quot;&#39;</b><b>&lt;i&gt;&amp;&quot;&#39;</b>7</p>',
    );
  });

  it('does not let text break out of an element or attribute', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        expect(html`${text}`.text).not.toMatch(/[<>"']/);
      }),
    );
  });
});
