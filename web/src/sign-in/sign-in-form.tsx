import { Alert, Anchor, Button, Divider, Stack } from '@mantine/core';
import { use } from 'react';
import { api, basePath, type Response } from '../api.ts';
import { Form } from './form.tsx';
import { tellOtherTabs } from './session.ts';

type Ways = Response<'GET /auth/providers'>;

/** The ways to sign in. If the server can't be asked, the form shows why when it is submitted. */
export const askWays = (): Promise<Ways> =>
  api('GET /auth/providers', {}).catch(() => ({
    password: true,
    oidc: false,
    resetByEmail: true,
    firstSignIn: false,
  }));

/** Starts a session in this browser. */
export async function signIn(username: string, password: string): Promise<void> {
  await api('POST /auth/simple/login', { body: { username, password } });
  tellOtherTabs();
}

export const oidcAddress = (returnTo: string): string =>
  `${basePath}auth/oidc/login?returnTo=${encodeURIComponent(returnTo)}`;

interface Props {
  readonly ways: Promise<Ways>;
  readonly onSignedIn: () => void;
  /** Whose session ended, to sign in again. */
  readonly username?: string;
  /** Where single sign-on returns to; or what opens it in a window, because this page has to stay. */
  readonly oidc: string | (() => void);
}

/** Signs in with a password or single sign-on, whichever is enabled. */
export function SignInForm({ ways, onSignedIn, username = '', oidc }: Props) {
  const { password: hasPassword, oidc: hasOidc, firstSignIn } = use(ways);
  return (
    <Stack>
      {firstSignIn && (
        <Alert color="teal" role="status">
          First start? The server log shows the username and password of the first admin, unless you
          configured them.
        </Alert>
      )}
      {hasPassword && (
        <Form
          fields={[
            {
              name: 'username',
              label: 'Username or email',
              autoComplete: 'username',
              value: username,
              isFixed: username !== '',
            },
            {
              name: 'password',
              label: 'Password',
              type: 'password',
              autoComplete: 'current-password',
            },
          ]}
          button="Sign in"
          onSubmit={async ({ username = '', password = '' }) => {
            await signIn(username, password);
            onSignedIn();
          }}
        >
          {username === '' && (
            <Anchor size="sm" ta="center" href={`${basePath}forgotten-password`}>
              Forgot password?
            </Anchor>
          )}
        </Form>
      )}
      {hasPassword && hasOidc && <Divider label="or" />}
      {hasOidc &&
        (typeof oidc === 'string' ? (
          <Button component="a" variant="default" href={oidcAddress(oidc)}>
            Sign in with SSO
          </Button>
        ) : (
          <Button variant="default" onClick={oidc}>
            Sign in with SSO
          </Button>
        ))}
    </Stack>
  );
}
