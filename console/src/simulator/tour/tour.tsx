import type { SimulatedDoorState } from '@lintel/wire-protocol/simulator/door-state';
import type { DemoPerson, SimulatorState } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { Icon } from '../../design/icon.tsx';
import { checkMarkIcon } from '../../design/icons.ts';
import { useSimulatorControls } from '../api/simulator-controls-context.ts';
import { findCommonLinkMode } from '../faults/describe-fault-effect.ts';
import { advanceTourIfStepDone, startTour, type TourProgress, type TourStep, tourSteps } from './tour-progress.ts';

const STORAGE_KEY = 'lintel-tour';

const useTour = (world: SimulatorState) => {
  const [isEnded, setEnded] = useState(() => localStorage.getItem(STORAGE_KEY) === 'ended');
  const [tour, setTour] = useState<TourProgress>(() => startTour(world));
  useEffect(() => setTour(current => advanceTourIfStepDone(current, world)), [world]);
  const end = (): void => {
    localStorage.setItem(STORAGE_KEY, 'ended');
    setEnded(true);
  };
  return { tour, isEnded, end };
};

const titles: Readonly<Record<TourStep, string>> = {
  open: 'Open a door',
  cut: 'Cut the internet',
  arrive: 'Watch the event arrive',
};

const textOf = (step: TourStep, { name, code }: SimulatedDoorState, pin: string): string => {
  switch (step) {
    case 'open':
      return `Type ${code ?? ''}${pin} at the ${name.toLowerCase()}. The controller decides, and the event appears in the activity.`;
    case 'cut':
      return 'Cut the internet and type the PIN again. The door opens, because the controller decides by itself.';
    case 'arrive':
      return 'Restore the internet. The event arrives at the bridge, with the time at which the door opened.';
  }
};

interface TourButtonProps {
  readonly step: TourStep;
  readonly world: SimulatorState;
  readonly onTypePin: () => void;
}

/** Does the next thing of the step, for people who do not search the page for it. */
const TourButton = ({ step, world, onTypePin }: TourButtonProps) => {
  const { commands } = useSimulatorControls();
  const isCut = findCommonLinkMode(world, 'internet') === 'cut';
  const setInternet = (mode: 'up' | 'cut') => (): void => void commands.links({ switch: 'internet', mode });
  if (step === 'cut' && !isCut)
    return (
      <Button variant="primary" onPress={setInternet('cut')}>
        Cut the internet now
      </Button>
    );
  if (step === 'arrive')
    return (
      <Button variant="primary" isDisabled={!isCut} onPress={setInternet('up')}>
        Restore the internet
      </Button>
    );
  return (
    <Button variant="primary" onPress={onTypePin}>
      Type the PIN for me
    </Button>
  );
};

interface TourProps {
  readonly world: SimulatorState;
}

/** The first door, and the first person who may open it with a PIN. */
const findExample = ({ doors, people }: SimulatorState) => {
  const [door] = doors;
  const isGuest = (person: DemoPerson): boolean => person.pin !== null && person.doors.includes(door?.key ?? '');
  const pin = people.find(isGuest)?.pin;
  return door === undefined || pin == null ? null : { door, pin };
};

/** Three steps through the demo. All texts are always shown, so that progress moves nothing on the page. */
export const TourPanel = ({ world }: TourProps) => {
  const { tour, isEnded, end } = useTour(world);
  const { keypadInput } = useSimulatorControls();
  const example = findExample(world);
  if (isEnded || example === null) return null;
  const { door, pin } = example;
  const current = tour.step === 'done' ? tourSteps.length : tourSteps.indexOf(tour.step);
  return (
    <section class="tour card" aria-labelledby="tour">
      <header>
        <h2 id="tour">{tour.step === 'done' ? 'That is how Lintel works' : 'Lintel in three steps'}</h2>
        <Button variant="plain" onPress={end}>
          End the tour
        </Button>
      </header>
      <ol>
        {tourSteps.map((step, index) => (
          <li
            key={step}
            aria-current={index === current ? 'step' : undefined}
            data-is-done={index < current ? '' : undefined}
          >
            <span class="tour-number" aria-hidden="true">
              {index < current ? <Icon shape={checkMarkIcon} /> : index + 1}
            </span>
            <div>
              <h3>
                {titles[step]}
                {index < current ? <span class="unseen"> (done)</span> : null}
              </h3>
              <p>{textOf(step, door, pin)}</p>
              <div class="tour-action">
                {index === current ? (
                  <TourButton step={step} world={world} onTypePin={() => void keypadInput.typePin(door, pin)} />
                ) : null}
              </div>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
};
