/** The singular of the last word: `member_groups` to `member_group`, `deliveries` to `delivery`. */
export const toSingular = (plural: string): string =>
  plural
    .replace(/ies$/, 'y')
    .replace(/sses$/, 'ss')
    .replace(/([^s])s$/, '$1');
