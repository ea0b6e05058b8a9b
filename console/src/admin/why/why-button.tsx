import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { questionIcon } from '../../design/icons.ts';
import { useMessages } from '../messages/language.ts';
import { WhyDialog, type WhyQuestion } from './why-dialog.tsx';

interface WhyButtonProps {
  readonly question: WhyQuestion;
  readonly label?: string;
}

/** Opens the explanation of a decision. */
export const WhyButton = ({ question, label }: WhyButtonProps) => {
  const { member } = useMessages();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={questionIcon} onPress={() => setOpen(true)}>
        {label ?? member.why}
      </Button>
      {isOpen ? <WhyDialog question={question} onClose={() => setOpen(false)} /> : null}
    </>
  );
};
