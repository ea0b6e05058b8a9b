import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { questionIcon } from '../../design/icons.ts';
import { useMessages } from '../messages/language.ts';
import { AccessExplanationDialog, type AccessExplanationQuestion } from './access-explanation-dialog.tsx';

interface WhyButtonProps {
  readonly question: AccessExplanationQuestion;
  readonly label?: string;
  /** For screen readers, where the page has more than one of these buttons. */
  readonly accessibleLabel?: string;
}

/** Opens the explanation of a decision. */
export const ExplainAccessButton = ({ question, label, accessibleLabel }: WhyButtonProps) => {
  const { member } = useMessages();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        icon={questionIcon}
        {...(accessibleLabel === undefined ? {} : { label: accessibleLabel })}
        onPress={() => setOpen(true)}
      >
        {label ?? member.why}
      </Button>
      {isOpen ? <AccessExplanationDialog question={question} onClose={() => setOpen(false)} /> : null}
    </>
  );
};
