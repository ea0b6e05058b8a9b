import { Button } from '../../design/controls.tsx';
import { deleteIcon } from '../../design/icons.ts';
import { useMessages } from '../messages/language.ts';

/** An icon; `name` tells a screen reader what is deleted. */
export const DeleteButton = ({ name, onPress }: { readonly name: string; readonly onPress: () => void }) => {
  const { general } = useMessages();
  return <Button icon={deleteIcon} variant="plain" label={`${general.delete}: ${name}`} onPress={onPress} />;
};
