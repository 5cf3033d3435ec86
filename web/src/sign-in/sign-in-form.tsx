import { Anchor, Button, Divider, Stack } from '@mantine/core';
import { use } from 'react';
import { api, basePath, type Response } from '../api.ts';
import { Form } from './form.tsx';
import { tellOtherTabs } from './session.ts';

type Ways = Response<'GET /auth/providers'>;

/** How the installation lets people in. Without an answer the form says what is wrong when it is sent. */
export const askWays = (): Promise<Ways> =>
  api('GET /auth/providers', {}).catch(() => ({ password: true, oidc: false }));

export const oidcAddress = (returnTo: string): string =>
  `${basePath}auth/oidc/login?returnTo=${encodeURIComponent(returnTo)}`;

interface Props {
  readonly ways: Promise<Ways>;
  readonly onSignedIn: () => void;
  /** Who signed in before, where they sign in again. */
  readonly username?: string;
  /** Where single sign-on leads back to; or what opens it, where this page has to stay. */
  readonly oidc: string | (() => void);
}

/** Asks for a name and a password, or leads to single sign-on, as the installation has it set up. */
export function SignInForm({ ways, onSignedIn, username = '', oidc }: Props) {
  const { password: hasPassword, oidc: hasOidc } = use(ways);
  return (
    <Stack>
      {hasPassword && (
        <Form
          fields={[
            {
              name: 'username',
              label: 'User name or e-mail',
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
            await api('POST /auth/simple/login', { body: { username, password } });
            tellOtherTabs();
            onSignedIn();
          }}
        >
          {username === '' && (
            <Anchor size="sm" ta="center" href={`${basePath}forgotten-password`}>
              Forgotten your password?
            </Anchor>
          )}
        </Form>
      )}
      {hasPassword && hasOidc && <Divider label="or" />}
      {hasOidc &&
        (typeof oidc === 'string' ? (
          <Button component="a" variant="default" href={oidcAddress(oidc)}>
            Sign in with single sign-on
          </Button>
        ) : (
          <Button variant="default" onClick={oidc}>
            Sign in with single sign-on
          </Button>
        ))}
    </Stack>
  );
}
