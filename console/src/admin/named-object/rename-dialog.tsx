import { useObjectEdit } from '../api/use-object-edit.ts';
import { TextInputDialog } from '../components/text-input-dialog.tsx';

interface RenameDialogProps {
  readonly title: string;
  readonly label: string;
  /** Of the object, below the organization. */
  readonly path: string;
  readonly name: string;
  readonly reload: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Changes the name of an object. */
export const RenameDialog = ({ title, label, path, name, reload, onClose }: RenameDialogProps) => {
  const edit = useObjectEdit({ name });
  const rename = async (changed: string): Promise<void> => {
    await edit(path, { name: changed });
    await reload();
  };
  return (
    <TextInputDialog
      title={title}
      label={label}
      initial={name}
      fieldLabels={{ name: label }}
      onSubmit={rename}
      onClose={onClose}
    />
  );
};
