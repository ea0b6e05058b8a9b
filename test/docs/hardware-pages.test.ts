import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drivers, hardwareBusSchema } from '@lintel/drivers/drivers';
import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { drawWiring } from '@lintel/hardware-profiles/wiring-drawing';
import { describe, expect, it } from 'vitest';
import { withDriverTables } from './generate-driver-tables.ts';
import { blocksOf } from './markdown.test-support.ts';

const docs = join(import.meta.dirname, '../../docs');
const read = (name: string): string => readFileSync(join(docs, name), 'utf8');
const products = loadProfiles();

describe('docs/hardware', () => {
  it.each(products)(
    'has a page for $product_id with its drawing and its bill of materials',
    ({ product_id, materials }) => {
      const page = read(`hardware/${product_id}.md`);
      expect(page).toContain(`](wiring/${product_id}.svg)`);
      for (const { part, count } of materials) expect(page).toContain(`| ${count} | ${part} |`);
    },
  );

  it.each(products.filter(({ buses }) => Object.keys(buses).length > 0))(
    'has an up-to-date wiring drawing of $product_id (npm run docs draws it)',
    profile => {
      expect(read(`hardware/wiring/${profile.product_id}.svg`)).toBe(drawWiring(profile));
    },
  );

  it.each(products.filter(({ product_id }) => /^(?:rpi|usb)-/.test(product_id)))(
    'says that the wiring of $product_id is not verified yet',
    ({ product_id }) => {
      expect(read(`hardware/${product_id}.md`)).toContain('**Not yet verified on hardware.**');
    },
  );

  it('lists every product', () => {
    const overview = read('hardware.md');
    for (const { product_id } of products) expect(overview).toContain(`](hardware/${product_id}.md)`);
  });

  it('has an up-to-date row for every driver in its tables (npm run docs writes them)', () => {
    const page = read('hardware.md');
    expect(withDriverTables(page)).toBe(page);
    for (const { name, documentation } of drivers) {
      expect(page.match(new RegExp(`^\\| \`${name}\` \\|`, 'gm'))).toHaveLength(2);
      expect(Object.values(documentation)).not.toContain('');
    }
  });

  const busExamples = ['hardware.md', ...readdirSync(join(docs, 'hardware')).map(name => `hardware/${name}`)]
    .filter(page => page.endsWith('.md'))
    .flatMap(page => blocksOf(read(page)).map(({ language, text }) => ({ page, language, text })))
    .filter(({ language, text }) => language === 'json' && text.startsWith('{"driver"'));

  it.each(busExamples)('has a valid example of a bus in $page', ({ text }) => {
    expect(hardwareBusSchema.safeParse(JSON.parse(text.replaceAll('…', 'x'))).error).toBeUndefined();
  });

  it('describes every field of a profile', () => {
    const overview = read('hardware.md');
    const fields = products.flatMap(profile => Object.keys(profile));
    for (const field of new Set(fields)) expect(overview).toContain(`\`${field}\``);
  });
});
