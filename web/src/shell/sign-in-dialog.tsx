import { Alert, Anchor, Button, Modal, Text } from '@mantine/core';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { api, basePath } from '../api.ts';
import { type Me, nameOf, useMe } from '../me.ts';
import { queryClient } from '../queries.ts';
import { onSignedInElsewhere, sessionBegun } from '../sign-in/session.ts';
import { askWays, oidcAddress, SignInForm } from '../sign-in/sign-in-form.tsx';

type User = Me['user'];

function Content({ user }: { readonly user: User }) {
  const [other, setOther] = useState<User>();
  const [isBlocked, setBlocked] = useState(false);
  const ways = useMemo(askWays, []);

  /** Resumes the pending requests, unless another user has signed in. */
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

  /** In its own window, because a provider needs the address bar and this page has to stay open. */
  function openOidc() {
    const address = oidcAddress(`${basePath}signed-in`);
    setBlocked(window.open(address, 'burgee-sign-in', 'popup,width=520,height=680') === null);
  }

  if (other) {
    return (
      <>
        <Alert color="yellow" mb="md">
          You're now signed in as {nameOf(other)}. The unsaved changes on this page belong to{' '}
          {nameOf(user)} and won't be submitted from another account.
        </Alert>
        <Button fullWidth onClick={() => window.location.reload()}>
          Continue as {nameOf(other)}
        </Button>
      </>
    );
  }
  return (
    <>
      <Text size="sm" mb="md">
        Sign in again to continue. Your unsaved changes are kept.
      </Text>
      {isBlocked && (
        <Alert color="yellow" role="alert" mb="md">
          Your browser blocked the sign-in window.{' '}
          <Anchor href={oidcAddress(`${basePath}signed-in`)} target="_blank" rel="noreferrer">
            Open sign-in in a new tab
          </Anchor>{' '}
          and come back here.
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
        Not {nameOf(user)}? <Anchor href={`${basePath}login`}>Use another account</Anchor>
      </Text>
    </>
  );
}

/** Asks to sign in again in place: what is typed on the page below stays. */
export function SignInDialog() {
  const { user } = useMe();
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      title="Session expired"
      centered
      // Above a dialog that is open already.
      zIndex={400}
    >
      <Content user={user} />
    </Modal>
  );
}
