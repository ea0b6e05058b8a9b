import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RoundHistory } from './checker/round-history-types.ts';
import type { CampaignSystem } from './system/campaign-system.ts';

/** Keeps what is needed to explain violations. `more`: other files by name. Returns where. */
export const keepEvidence = (
  system: CampaignSystem,
  history: RoundHistory,
  more: Readonly<Record<string, object>>,
): string => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-campaign-failed-'));
  const logs = Object.fromEntries(system.parts.map(({ name, log }) => [name, log]));
  for (const [name, content] of Object.entries({ history, logs, ...more }))
    writeFileSync(
      join(folder, `${name}.json`),
      JSON.stringify(content, (_, value) => (value instanceof Set ? [...value] : value)),
    );
  system.keepEvidence(folder);
  return folder;
};
