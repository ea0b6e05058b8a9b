import { Icon } from '../../design/icon.tsx';
import * as icons from '../../design/icons.ts';
import * as shellMessages from '../messages/english/shell.ts';
import { buildTechnicianScreenUrl, type TechnicianScreenId } from './screen-ids-and-urls.ts';

const screenIcons: Readonly<Record<TechnicianScreenId, string>> = {
  overview: icons.homeIcon,
  claim: icons.plugIcon,
  rules: icons.keypadIcon,
  live: icons.radioWavesIcon,
  try: icons.keyIcon,
  tests: icons.checkMarkIcon,
  report: icons.reportIcon,
};

interface MenuProps {
  readonly current: TechnicianScreenId;
  readonly shown: readonly TechnicianScreenId[];
  /** Screens that need attention. */
  readonly marked: ReadonlySet<TechnicianScreenId>;
}

export const ScreenMenu = ({ current, shown, marked }: MenuProps) => (
  <nav class="menu" aria-label={shellMessages.screenMenuLabel}>
    <ul>
      {shown.map(screen => (
        <li key={screen}>
          <a
            href={buildTechnicianScreenUrl(screen)}
            aria-current={screen === current ? 'page' : undefined}
            data-is-marked={marked.has(screen) ? '' : undefined}
          >
            <Icon shape={screenIcons[screen]} />
            <span>{shellMessages.screenNames[screen]}</span>
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
