import { Alert, Anchor, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { type ReactNode, Suspense, use, useEffect, useState } from 'react';
import { ApiError, api, basePath } from '../api.ts';
import { Form } from './form.tsx';
import { confirmedPassword, newPasswordField, newPasswordFields } from './new-password.ts';
import { returnAddress } from './return-to.ts';
import { tellOtherTabs } from './session.ts';
import classes from './sign-in.module.css';
import { askWays, SignInForm, signIn } from './sign-in-form.tsx';
import { refusalWords, wordsOf } from './words.ts';

const address = new URLSearchParams(window.location.search);

interface FrameProps {
  readonly title: string;
  readonly lead?: string | undefined;
  readonly children?: ReactNode;
}

function Frame({ title, lead, children }: FrameProps) {
  useDocumentTitle(`${title} · Burgee`);
  return (
    <main className={classes.page}>
      <div className={`card ${classes.card}`}>
        <img
          className={classes.logo}
          src={`${basePath}burgee.svg`}
          alt="Burgee"
          width={64}
          height={48}
        />
        <Title order={1} size="h2" ta="center">
          {title}
        </Title>
        <Text className="quiet" ta="center" mb="lg">
          {lead}
        </Text>
        {children}
      </div>
    </main>
  );
}

const ToLogin = ({ label = 'Back to sign in' }: { readonly label?: string }) => (
  <Anchor size="sm" ta="center" href={`${basePath}login`}>
    {label}
  </Anchor>
);

interface DoneProps {
  readonly color?: string;
  readonly children: ReactNode;
}

const Done = ({ color = 'teal', children }: DoneProps) => (
  <Stack>
    <Alert color={color} role="status">
      {children}
    </Alert>
    <ToLogin />
  </Stack>
);

const ways = askWays();

function Login() {
  const refusal = address.get('error');
  const target = returnAddress(address.get('redirect'), {
    origin: window.location.origin,
    basePath,
  });
  return (
    <Frame title="Sign in" lead="Welcome to Burgee">
      {refusal !== null && (
        <Alert color="red" role="alert" mb="md">
          {refusalWords(refusal)}
        </Alert>
      )}
      <Suspense>
        <SignInForm ways={ways} oidc={target} onSignedIn={() => window.location.assign(target)} />
      </Suspense>
    </Frame>
  );
}

function ForgottenPassword() {
  const { password, resetByEmail } = use(ways);
  const [isSent, setSent] = useState(false);
  const title = 'Reset your password';
  if (!resetByEmail) {
    return (
      <Frame title={title}>
        <Done color="gray">
          {password
            ? "Ask an admin for a reset link. This server can't send emails."
            : 'Password sign-in is disabled. Sign in with SSO.'}
        </Done>
      </Frame>
    );
  }
  return (
    <Frame title={title} lead="We'll email you a reset link">
      {isSent ? (
        <Done>
          If there's an account with this email, a reset link is on its way. Didn't get it? Ask an
          admin to create one.
        </Done>
      ) : (
        <Form
          fields={[{ name: 'email', label: 'Email', type: 'email', autoComplete: 'email' }]}
          button="Send reset link"
          onSubmit={async ({ email = '' }) => {
            await api('POST /auth/reset/password-email', { body: { email } });
            setSent(true);
          }}
        >
          <ToLogin />
        </Form>
      )}
    </Frame>
  );
}

/** What the server said about a link, or why it can't be used. */
type Checked<T> = { readonly link: T } | { readonly problem: string };

const problemOf = (error: unknown): string =>
  error instanceof ApiError && [400, 404].includes(error.status)
    ? 'This link is invalid, expired, or already used. Ask an admin for a new one.'
    : wordsOf(error);

const checked = <T,>(asking: Promise<T>): Promise<Checked<T>> =>
  asking.then(
    (link) => ({ link }),
    (error: unknown) => ({ problem: problemOf(error) }),
  );

const InvalidLink = ({ title, problem }: { readonly title: string; readonly problem: string }) => (
  <Frame title={title}>
    <Stack>
      <Alert color="red" role="alert">
        {problem}
      </Alert>
      <ToLogin />
    </Stack>
  </Frame>
);

const token = address.get('token') ?? '';

const checkPasswordLink = () => checked(api('GET /auth/reset/validate', { query: { token } }));

interface PasswordProps {
  readonly title: string;
  readonly lead: (name: string) => string;
  /** Whether to go on to Burgee with the new password. */
  readonly signsIn: boolean;
  readonly asking: ReturnType<typeof checkPasswordLink>;
}

/** Sets a password through the link of an invitation or a reset. */
function SetPassword({ title, lead, signsIn, asking }: PasswordProps) {
  const answer = use(asking);
  const [problem, setProblem] = useState('problem' in answer ? answer.problem : undefined);
  const [isDone, setDone] = useState(false);
  if (problem !== undefined) return <InvalidLink title={title} problem={problem} />;
  const { name, username, email } = 'link' in answer ? answer.link : {};
  if (isDone) {
    return (
      <Frame title={title}>
        <Done>Password set. You can now sign in.</Done>
      </Frame>
    );
  }
  return (
    <Frame title={title} lead={lead(name || username || email || '')}>
      <Form
        fields={newPasswordFields}
        button="Set password"
        onSubmit={async (values) => {
          const password = confirmedPassword(values);
          try {
            await api('POST /auth/reset/password', { body: { token, password } });
          } catch (error) {
            if (!(error instanceof ApiError) || error.status !== 404) throw error;
            setProblem(problemOf(error));
            return;
          }
          if (!signsIn) return setDone(true);
          await signIn(username || email || '', password).then(
            () => window.location.assign(basePath),
            // The password is set nevertheless, for example while password sign-in is disabled.
            () => setDone(true),
          );
        }}
      >
        <ToLogin />
      </Form>
    </Frame>
  );
}

const invite = address.get('invite') ?? '';

const checkInvite = () =>
  checked(api('GET /invite/:token/validate', { params: { token: invite } }));

function Join({ asking }: { readonly asking: ReturnType<typeof checkInvite> }) {
  const answer = use(asking);
  const title = 'Create your account';
  if ('problem' in answer) return <InvalidLink title={title} problem={answer.problem} />;
  return (
    <Frame title={title} lead="You've been invited to Burgee">
      <Form
        fields={[
          { name: 'name', label: 'Name', autoComplete: 'name' },
          { name: 'email', label: 'Email', type: 'email', autoComplete: 'email' },
          { name: 'username', label: 'Username', autoComplete: 'username', isOptional: true },
          newPasswordField,
        ]}
        button="Create account"
        onSubmit={async ({ name = '', email = '', username = '', password = '' }) => {
          await api('POST /invite/:token/signup', {
            params: { token: invite },
            body: { name, email, password, ...(username !== '' && { username }) },
          });
          await signIn(email, password);
          window.location.assign(basePath);
        }}
      >
        <ToLogin label="Already have an account? Sign in" />
      </Form>
    </Frame>
  );
}

/** Where single sign-on ends in a small window: the page that opened it goes on. */
function SignedIn() {
  useEffect(() => {
    tellOtherTabs();
    window.close();
  }, []);
  return <Frame title="You're signed in" lead="You can close this window" />;
}

/** What an address shows. A link is checked once, before anything is drawn. */
function pageOf(name: string): () => ReactNode {
  switch (name) {
    case 'forgotten-password':
      return () => <ForgottenPassword />;
    case 'signed-in':
      return () => <SignedIn />;
    case 'reset-password': {
      const asking = checkPasswordLink();
      const lead = (person: string) => `For ${person}. This signs you out everywhere.`;
      const title = 'Choose a new password';
      return () => <SetPassword title={title} lead={lead} signsIn={false} asking={asking} />;
    }
    case 'new-user': {
      if (address.has('invite')) {
        const asking = checkInvite();
        return () => <Join asking={asking} />;
      }
      const asking = checkPasswordLink();
      const lead = (person: string) => `Hi ${person}, set a password to get started`;
      return () => <SetPassword title="Welcome" lead={lead} signsIn asking={asking} />;
    }
    default:
      return () => <Login />;
  }
}

const show = pageOf(window.location.pathname.slice(basePath.length));

export const PageHere = () => <Suspense>{show()}</Suspense>;
