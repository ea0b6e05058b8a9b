import * as tryingWords from '../words/english/trying-words.ts';
import { Commissioning } from './commissioning.tsx';
import { TryAs } from './try-as.tsx';

export const Trying = () => (
  <>
    <h1>{tryingWords.heading}</h1>
    <div class="columns">
      <Commissioning />
      <TryAs />
    </div>
  </>
);
