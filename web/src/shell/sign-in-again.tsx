import { Suspense } from 'react';
import { useSessionHasEnded } from '../sign-in/session.ts';
import { lazyPart } from '../ui/lazy-part.ts';

const SignInDialog = lazyPart(() => import('./sign-in-dialog.tsx'), 'SignInDialog');

/** The dialog of a session that has ended, which most pages never need. */
export const SignInAgain = () =>
  useSessionHasEnded() && (
    <Suspense>
      <SignInDialog />
    </Suspense>
  );
