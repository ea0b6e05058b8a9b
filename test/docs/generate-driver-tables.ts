import { drivers } from '@lintel/drivers/drivers';

const tables: Readonly<Record<string, (driver: (typeof drivers)[number]) => readonly string[]>> = {
  '## Supported parts': ({ documentation: { products, price, interface: port, since, verified } }) => [
    products,
    price,
    port,
    since,
    verified,
  ],
  '### Buses': ({ documentation: { fields, offers } }) => [fields, offers],
};

/** `docs/hardware.md` with a row for each driver in both tables. */
export const withDriverTables = (page: string): string =>
  Object.entries(tables).reduce((text, [heading, cellsOf]) => {
    const rows = drivers.map(driver => `| \`${driver.name}\` | ${cellsOf(driver).join(' | ')} |\n`).join('');
    const [before = '', after = ''] = text.split(`\n${heading}\n`);
    return `${before}\n${heading}\n${after.replace(/(\n\|(?:---\|)+\n)(?:\|.*\n)*/, (_, head: string) => head + rows)}`;
  }, page);
