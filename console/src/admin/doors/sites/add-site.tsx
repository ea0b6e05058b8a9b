import { useState } from 'preact/hooks';
import { Button } from '../../../design/controls.tsx';
import { addIcon } from '../../../design/icons.ts';
import { useMessages } from '../../messages/language.ts';
import { SiteDialog } from './site-dialog.tsx';

export const AddSiteButton = () => {
  const { sites } = useMessages();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={addIcon} onPress={() => setOpen(true)}>
        {sites.add}
      </Button>
      {isOpen ? <SiteDialog site={null} onClose={() => setOpen(false)} /> : null}
    </>
  );
};
