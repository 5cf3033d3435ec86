import { Alert, Anchor, Button, Modal, Text } from '@mantine/core';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { api, basePath } from '../api.ts';
import { type Me, nameOf, useMe } from '../me.ts';
import { queryClient } from '../queries.ts';
import { onSignedInElsewhere, sessionBegun, useSessionHasEnded } from '../sign-in/session.ts';
import { askWays, oidcAddress, SignInForm } from '../sign-in/sign-in-form.tsx';

type User = Me['user'];

function Content({ user }: { readonly user: User }) {
  const [other, setOther] = useState<User>();
  const [isBlocked, setBlocked] = useState(false);
  const ways = useMemo(askWays, []);

  /** Goes on with what waits. It was asked for by one person, so it is not sent as another. */
  const goOn = useMemo(
    () => async () => {
      const now = (await api('GET /api/admin/user', {})).user;
      if (now.id !== user.id) {
        setOther(now);
        return;
      }
      sessionBegun();
      void queryClient.invalidateQueries();
    },
    [user.id],
  );
  useEffect(() => onSignedInElsewhere(() => void goOn()), [goOn]);

  /** In a window of its own, because a provider needs the whole address bar and this page has to stay. */
  function openOidc() {
    const address = oidcAddress(`${basePath}signed-in`);
    setBlocked(window.open(address, 'burgee-sign-in', 'popup,width=520,height=680') === null);
  }

  if (other) {
    return (
      <>
        <Alert color="yellow" mb="md">
          You are signed in as {nameOf(other)} now. What stands on this page was begun by{' '}
          {nameOf(user)}, and is not sent as somebody else.
        </Alert>
        <Button fullWidth onClick={() => window.location.reload()}>
          Go on as {nameOf(other)}
        </Button>
      </>
    );
  }
  return (
    <>
      <Text size="sm" mb="md">
        Sign in again. What you have typed stays where it is.
      </Text>
      {isBlocked && (
        <Alert color="yellow" role="alert" mb="md">
          The browser did not open a window.{' '}
          <Anchor href={oidcAddress(`${basePath}signed-in`)} target="_blank" rel="noreferrer">
            Sign in in a new tab
          </Anchor>{' '}
          and come back.
        </Alert>
      )}
      <Suspense>
        <SignInForm
          ways={ways}
          username={user.username ?? user.email ?? ''}
          oidc={openOidc}
          onSignedIn={() => void goOn()}
        />
      </Suspense>
      <Text size="sm" mt="md" ta="center">
        Not {nameOf(user)}? <Anchor href={`${basePath}login`}>Sign in as somebody else</Anchor>
      </Text>
    </>
  );
}

/** Asks to sign in again in place: what is typed on the page below stays. */
export function SignInAgain() {
  const hasEnded = useSessionHasEnded();
  const { user } = useMe();
  return (
    <Modal
      opened={hasEnded}
      onClose={() => undefined}
      withCloseButton={false}
      title="Your session has ended"
      centered
      // Above a dialog that is open already.
      zIndex={400}
    >
      <Content user={user} />
    </Modal>
  );
}
