import { useState } from 'preact/hooks';
import { useNames } from '../frame/use-names.ts';
import { useHearing } from '../link/use-visit.ts';
import { TestCard } from '../tests/judge.tsx';
import { testTitle } from '../tests/test-title.ts';
import * as tryingWords from '../words/english/trying-words.ts';
import { proofOf } from './proof.ts';

/** The controller has seen it granted; whether the door really opened, a person has to say. */
export const Proofs = () => {
  const names = useNames();
  const [proofs, setProofs] = useState<readonly string[]>([]);
  useHearing(what => {
    const proof = proofOf(what);
    if (proof !== null) setProofs(before => (before.includes(proof) ? before : [proof, ...before]));
  });
  return (
    <ul class="tests">
      {proofs.map(id => (
        <TestCard key={id} id={id} title={testTitle(id, names)}>
          <p>{tryingWords.wasGranted}</p>
        </TestCard>
      ))}
    </ul>
  );
};
