import { useEffect } from 'preact/hooks';
import { Dialog } from '../frame/dialog.tsx';
import { useStore } from '../link/store.ts';
import { visit } from '../link/use-visit.ts';
import * as comingInWords from '../words/english/coming-in-words.ts';
import { WarningExplained } from './fingerprint.tsx';
import { LoginForm } from './login-form.tsx';

const LOOK_MS = 4_000;

/** What opens the controller may change while somebody stands there: its button was pressed, or the claim went through. */
const useLookingAtController = (): void => {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void visit.look();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, []);
};

const AtTheBridge = () => (
  <p>
    <a class="button primary" href={`/login?return_to=${encodeURIComponent(location.pathname)}`}>
      {comingInWords.enter}
    </a>
  </p>
);

export const ComingIn = () => {
  const hello = useStore(visit.hello);
  useLookingAtController();
  if (visit.place.isRemote)
    return (
      <main class="coming-in">
        <AtTheBridge />
      </main>
    );
  if (hello === null) {
    return (
      <main class="coming-in">
        <section class="card panel">
          <h1>{comingInWords.looking}</h1>
          <p class="quiet">{comingInWords.lookingHint}</p>
        </section>
      </main>
    );
  }
  return (
    <main class="coming-in">
      <section class="card panel">
        <div>
          <h1>{hello.name}</h1>
          <p class="quiet">{comingInWords.product(hello.product_id, hello.firmware)}</p>
        </div>
        <p>{hello.claimed ? comingInWords.claimed : comingInWords.unclaimed}</p>
        <LoginForm />
      </section>
      <WarningExplained />
    </main>
  );
};

/** On top of whatever was being done, which stays as it is. */
export const ComingInAgain = () => {
  useLookingAtController();
  return (
    <Dialog label={comingInWords.endedHeading} close={null}>
      <h2>{comingInWords.endedHeading}</h2>
      <p class="quiet">{comingInWords.ended}</p>
      {visit.place.isRemote ? <AtTheBridge /> : <LoginForm />}
    </Dialog>
  );
};
