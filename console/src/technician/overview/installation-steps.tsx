import type { TechnicianClaimStateResponse } from '@lintel/wire-protocol/technician/claim';
import type { TechnicianStatusResponse } from '@lintel/wire-protocol/technician/status-and-support-bundle';
import { Icon } from '../../design/icon.tsx';
import * as icons from '../../design/icons.ts';
import { controllerSession } from '../api/controller-hooks.ts';
import { isProductUnconfigured } from '../claim/is-product-unconfigured.ts';
import { StatusIcon } from '../../components/status-icon.tsx';
import { countTestedParts, listTestableParts } from '../hardware-tests/testable-parts.ts';
import * as overviewMessages from '../messages/english/overview.ts';
import { type TechnicianScreenId, buildTechnicianScreenUrl } from '../shell/screen-ids-and-urls.ts';
import { useSharedControllerData } from '../state/shared-controller-data.ts';

interface Step {
  readonly screen: TechnicianScreenId;
  readonly title: string;
  readonly isDone: boolean;
}

const useSteps = (status: TechnicianStatusResponse, claim: TechnicianClaimStateResponse | null): readonly Step[] => {
  const { rules, tests } = useSharedControllerData();
  const parts = listTestableParts(status, controllerSession.endpoint.isRemote);
  const isRuleTested =
    tests.value?.data.some(({ id, result }) => id.startsWith('rule:') && result === 'passed') === true;
  const done = countTestedParts(parts, tests.value?.data ?? []);
  const count = rules.value?.input_rules.length ?? 0;
  const steps = overviewMessages.installationStepTexts;
  const isPending = claim?.state === 'waiting';
  return [
    ...(controllerSession.endpoint.isRemote
      ? []
      : [
          {
            screen: 'claim' as const,
            title: isProductUnconfigured(status.product_id)
              ? steps.profile
              : isPending
                ? steps.claimPending
                : steps.claim,
            isDone: status.claimed,
          },
        ]),
    { screen: 'rules', title: count > 0 ? steps.rulesDone(count) : steps.rules, isDone: count > 0 },
    ...(controllerSession.endpoint.isRemote
      ? []
      : [{ screen: 'try' as const, title: steps.ruleTest, isDone: isRuleTested }]),
    {
      screen: 'tests',
      title: done === 0 ? steps.tests : steps.testsDone(done, parts.length),
      isDone: parts.length > 0 && done === parts.length,
    },
    { screen: 'report', title: steps.report, isDone: false },
  ];
};

interface InstallationStepsProps {
  readonly status: TechnicianStatusResponse;
  readonly claim: TechnicianClaimStateResponse | null;
}

export const InstallationStepList = ({ status, claim }: InstallationStepsProps) => (
  <section class="card panel" aria-labelledby="steps">
    <h2 id="steps">{overviewMessages.installationStepsHeading}</h2>
    <ol class="steps">
      {useSteps(status, claim).map(({ screen, title, isDone }) => (
        <li key={screen}>
          <a href={buildTechnicianScreenUrl(screen)} data-is-done={isDone ? '' : undefined}>
            <StatusIcon level={isDone ? 'ok' : 'neutral'} />
            <span>{title}</span>
            <Icon shape={icons.nextArrowIcon} />
          </a>
        </li>
      ))}
    </ol>
  </section>
);
