import type { ScenarioActionDefinition, ScenarioExpectationDefinition } from './define-actions-and-expectations.ts';

export const formatScenarioStepSentence = (
  { sentence }: ScenarioActionDefinition | ScenarioExpectationDefinition,
  given: unknown,
): string =>
  typeof sentence === 'function'
    ? sentence(given)
    : sentence.replaceAll(/\{(\w*)\}/g, (_, field: string) =>
        String(field === '' ? given : (given as Record<string, unknown>)[field]),
      );
