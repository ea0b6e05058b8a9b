import type { SiteResponse } from '@lintel/wire-protocol/rest/site';
import { useState } from 'preact/hooks';
import { createSiteTime } from '../../../components/texts/site-time.ts';
import { Button } from '../../../design/controls.tsx';
import { editIcon } from '../../../design/icons.ts';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { DeleteButton } from '../../components/delete-button.tsx';
import { useLanguage } from '../../messages/language.ts';
import { DeleteSiteDialog } from './delete-site.tsx';
import { SiteDialog } from './site-dialog.tsx';

interface SiteHeadingProps {
  readonly site: SiteResponse;
  readonly isEmpty: boolean;
}

/** The name of a site with its local time; editing and deleting it. */
export const SiteHeading = ({ site, isEmpty }: SiteHeadingProps) => {
  const { messages, locale } = useLanguage();
  const { sites: texts } = messages;
  const { allows } = useCurrentOrganization();
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const close = (): void => setDialog(null);
  const { isZoneKnown, format } = createSiteTime(locale, site.timezone);
  const describeTime = (zone: string): string => {
    const time = format({ timeStyle: 'short' }, Date.now());
    return isZoneKnown ? texts.localTime(time, zone) : texts.unknownTimezone(time, zone);
  };
  return (
    <div class="site-heading">
      <div>
        <h2>{site.name}</h2>
        <p class="quiet small">{site.timezone === null ? texts.noTimezone : describeTime(site.timezone)}</p>
        {isEmpty ? <p class="quiet small">{texts.empty}</p> : null}
      </div>
      {allows('sites.write') ? (
        <div class="bar">
          <Button icon={editIcon} variant="plain" label={texts.edit(site.name)} onPress={() => setDialog('edit')} />
          <DeleteButton name={site.name} onPress={() => setDialog('delete')} />
        </div>
      ) : null}
      {dialog === 'edit' ? <SiteDialog site={site} onClose={close} /> : null}
      {dialog === 'delete' ? <DeleteSiteDialog site={site} onClose={close} /> : null}
    </div>
  );
};
